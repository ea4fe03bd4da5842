import type { Identification } from '../kinds/identification.js'
import type { Kind } from '../resources/kind.js'
import { pathKind } from '../kinds/path-kind.js'
import { checkOptionNames } from '../options/check-option-names.js'
import type { Resource } from '../resources/resource.js'
import { ResourceSet } from '../resources/resource-set.js'
import { baseUrl } from '../url/web-url.js'
import type { BudgetReport } from './budget.js'
import { EXTENDED_PROBE_PATHS, PROBE_PATHS } from './probe-list.js'
import { parseProbeOptions, PROBE_OPTION_NAMES, type ProbeOptions } from './probe-options.js'
import { Prober } from './prober.js'

/** What the conventional paths of an origin gave. */
export interface ProbeResult {
  readonly origin: string
  /** One for every path that was asked for, whatever came of it. */
  readonly resources: readonly Resource[]
  readonly budget: BudgetReport
}

/**
 * Asks an origin for the conventional paths and judges each answer by its content and beside the answer to a path that
 * cannot exist. Sends no credentials.
 *
 * @throws {AgentDiscoveryError} `invalid_option`, `invalid_url`; rejects with the signal's reason when aborted
 */
export async function probe(origin: string | URL, options: ProbeOptions = {}): Promise<ProbeResult> {
  const site = baseUrl(origin)
  checkOptionNames(options, PROBE_OPTION_NAMES)
  const policy = parseProbeOptions(options)
  policy.signal?.throwIfAborted()
  const prober = new Prober(policy)
  const set = new ResourceSet(site)
  await probePaths(prober, set, probeUrls(site.origin, policy.extended))
  return { origin: site.origin, resources: set.resources(), budget: prober.budget.report() }
}

export function probeUrls(origin: string, extended: boolean): readonly string[] {
  const paths = extended ? [...PROBE_PATHS, ...EXTENDED_PROBE_PATHS] : PROBE_PATHS
  return paths.map((path) => origin + path)
}

/** A document that was found, for those who want to read on in it. */
export interface FoundDocument {
  readonly url: string
  readonly identification: Identification
  readonly text: string
}

/** Examines URLs as probes; returns the documents found there. */
export async function probePaths(
  prober: Prober,
  set: ResourceSet,
  urls: readonly string[],
): Promise<readonly FoundDocument[]> {
  const found = await Promise.all(
    urls.map(async (url): Promise<readonly FoundDocument[]> => {
      const expected = pathKind(url) ?? 'linked-resource'
      set.claim({ url, kind: expected, source: { name: 'probe' } })
      return examineInto(prober, set, url, expected)
    }),
  )
  return found.flat()
}

/** Examines a URL that is claimed and records what was found; what could not be asked stays a claim if somebody names it. */
export async function examineInto(
  prober: Prober,
  set: ResourceSet,
  url: string,
  expected: Kind,
): Promise<readonly FoundDocument[]> {
  const { finding, identification, text, unasked } = await prober.examine(url, expected)
  if (!unasked || set.isOnlyTried(url)) set.find(url, finding)
  const isThere = finding.state !== 'soft-404' && finding.state !== 'inconclusive'
  return identification && text !== undefined && isThere ? [{ url, identification, text }] : []
}
