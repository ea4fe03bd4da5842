import type { Finding } from '../resources/finding.js'
import type { Identification } from './identification.js'

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
