import type { Identification } from './kinds/identification.js'
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

/** What a document proves by itself. */
export function findingOf(found: Identification, mediaType?: string): Finding {
  const { kind, verdict, reasons, warnings, variant, version, endpoint, claims } = found
  return {
    kind,
    state: verdict,
    reasons,
    warnings,
    ...(variant !== undefined && { variant }),
    ...(version !== undefined && { version }),
    ...(endpoint !== undefined && { endpoint }),
    ...(claims && { claims }),
    ...(mediaType !== undefined && { mediaType }),
  }
}
