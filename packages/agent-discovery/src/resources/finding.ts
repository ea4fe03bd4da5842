import type { Resource } from './resource.js'

/** What an examination found; it replaces whatever was only claimed. */
export type Finding = Omit<
  Resource,
  | 'url'
  | 'sources'
  | 'crossOrigin'
  | 'verified'
  | 'title'
  | 'titleLanguage'
  | 'context'
  | 'aliases'
  | 'ephemeral'
  | 'inline'
>
