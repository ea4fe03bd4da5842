/**
 * What costs alike and is counted together: what is read (manifest, content, polls, and requests that are no question), questions,
 * actions, and credentials that were wrong.
 */
export type RateTier = 'read' | 'ask' | 'action' | 'credential'
