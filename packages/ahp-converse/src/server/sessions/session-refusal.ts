/**
 * `unknown_session`: there is none of this id, it has ended, or it is another's. `turn_limit`, `token_budget`: used up.
 * `conflict`: another process took a turn of this session at the same time.
 */
export type SessionRefusal = 'unknown_session' | 'turn_limit' | 'token_budget' | 'conflict'
