import { inconclusive, judged, skipped, type Finding, type Outcome } from '@doorplate/conformance-kit'
import type { DiscoveryResult } from '../discover/discover.js'
import type { Kind } from '../resources/kind.js'
import type { Resource } from '../resources/resource.js'

/** The states of what is not what it should be. */
export const BROKEN: ReadonlySet<string> = new Set(['invalid', 'soft-404', 'absent', 'error'])
const OLD =
  /^(?:legacy-path|legacy-relation|superseded-shape|out-of-use|vendor-shape|missing-schema|media-type-)/

/** Passed where a document of the kinds is verified; broken where one is not what it should be; missing where it is wanted. */
export function documentCheck(
  result: DiscoveryResult,
  kinds: readonly Kind[],
  missing: string | undefined,
  wanted: boolean,
): Outcome {
  const resources = offered(result, kinds)
  const findings = resources.flatMap((resource) => [...broken(resource), ...outdated(resource)])
  if (findings.length > 0 || resources.some(({ verified }) => verified))
    return judged(findings, note(resources))
  if (resources.length > 0) return inconclusive(`not judged: ${note(resources)}`)
  const unclear = result.rejected.filter(
    ({ kind, state }) => kinds.includes(kind) && state !== 'absent' && state !== 'soft-404',
  )
  if (unclear.length > 0) return inconclusive(`not judged: ${note(unclear)}`)
  if (!wanted || missing === undefined) return skipped('not applicable: the site offers nothing of this kind')
  return judged([{ requirement: missing, message: 'missing', url: result.finalUrl }])
}

/** What the site itself offers of these kinds. */
export function offered({ resources }: DiscoveryResult, kinds: readonly Kind[]): readonly Resource[] {
  return resources.filter(({ kind, crossOrigin, inline }) => kinds.includes(kind) && !crossOrigin && !inline)
}

function broken({ url, kind, state, reasons }: Resource): readonly Finding[] {
  return BROKEN.has(state)
    ? [{ requirement: 'READY-VALID', message: `broken: ${kind} is ${state} (${reasons.join(', ')})`, url }]
    : []
}

function outdated({ url, kind, warnings }: Resource): readonly Finding[] {
  return warnings
    .filter((warning) => OLD.test(warning))
    .map((warning) => ({ requirement: 'READY-CURRENT', message: `outdated: ${kind}: ${warning}`, url }))
}

function note(resources: readonly Resource[]): string {
  return resources.map(({ kind, state, url }) => `${kind} ${state} at ${url}`).join(', ')
}
