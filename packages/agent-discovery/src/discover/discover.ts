import type { AgentRecords } from '../dns/lookup-agent-records.js'
import type { AgentNotice } from '../meta/scanned-html.js'
import { checkOptionNames } from '../options/check-option-names.js'
import type { BudgetReport } from '../probe/budget.js'
import { probePaths, probeUrls, type FoundDocument } from '../probe/probe-origin.js'
import type { Resource } from '../resources/resource.js'
import { ResourceSet } from '../resources/resource-set.js'
import { addOwnDocument, isForAgents } from '../response/own-document.js'
import { readResponse, type ForeignClaim, type ResponseSignals } from '../response/read-response.js'
import type { RobotsSignals } from '../robots/robots-signals.js'
import { redactUrl } from '../url/redact-url.js'
import { claimDnsRecords } from './claim-dns-records.js'
import { claimRobots } from './claim-robots.js'
import { followDocuments } from './follow-documents.js'
import { loadPage, type PageOutcome } from './load-page.js'
import {
  DISCOVER_OPTION_NAMES,
  startDiscovery,
  type DiscoverOptions,
  type Discovery,
} from './start-discovery.js'

/** What became of the page itself. */
export type PageReport = Pick<
  PageOutcome,
  'state' | 'reasons' | 'message' | 'status' | 'mediaType' | 'bytes' | 'truncated'
>

export interface DiscoverySignals extends ResponseSignals {
  /** What robots.txt says to this agent about this page, if there is one. */
  readonly robots?: RobotsSignals
}

/** Everything in it that a site wrote is data: cleaned and bounded, never to be followed as instructions. */
export interface DiscoveryResult {
  readonly url: string
  readonly finalUrl: string
  readonly page: PageReport
  /** What the site offers or claims to offer, best first. */
  readonly resources: readonly Resource[]
  /** Conventional paths where nothing is that counts, with the reasons. */
  readonly rejected: readonly Resource[]
  /** Claims about other sites. */
  readonly foreign: readonly ForeignClaim[]
  readonly notices: readonly AgentNotice[]
  readonly signals: DiscoverySignals
  readonly dns?: AgentRecords
  /** Resources left out because of `maxResources`. */
  readonly omitted: number
  readonly budget: BudgetReport
}

/**
 * Finds what a site offers to agents: what a page names, what lies at the conventional paths, and what those documents name
 * in turn, one level deep. Reports and never acts: no interface, login or agent is called. A failure is an entry of the
 * result and costs nothing else.
 *
 * @throws {AgentDiscoveryError} `invalid_option`, `invalid_url`; rejects with the signal's reason when aborted
 */
export async function discover(url: string | URL, options: DiscoverOptions = {}): Promise<DiscoveryResult> {
  checkOptionNames(options, DISCOVER_OPTION_NAMES)
  const discovery = startDiscovery(url, options)
  return discoverFrom(await loadPage(discovery.url, discovery.pageOptions), discovery)
}

/** Goes on from a page that was loaded. */
export async function discoverFrom(page: PageOutcome, discovery: Discovery): Promise<DiscoveryResult> {
  const { url, options, policy, prober, verify, maxResources } = discovery
  const { probe = true, robotsUserAgent } = options
  const { finalUrl } = page
  const reading = readResponse(finalUrl, page.headers, page.scanned)
  const set = new ResourceSet(finalUrl)
  for (const claim of reading.claims) set.claim(claim)

  const documents: FoundDocument[] = []
  if (page.document && isForAgents(page.document.identification)) {
    documents.push(page.document)
    addOwnDocument(set, page.document.url, page.document.identification, page.mediaType)
  }
  const [probed, dns] = await Promise.all([
    probe ? probePaths(prober, set, urlsToProbe(finalUrl, page, policy.extended)) : [],
    claimDnsRecords(set, finalUrl, discovery),
  ])
  documents.push(...probed)
  const robots = claimRobots(set, documents, finalUrl, robotsUserAgent)
  await followDocuments(documents, { prober, set, verify, siteUrl: finalUrl, probe })

  const all = set.resources()
  const counted = all.filter(counts)
  return {
    url: redactUrl(url).url,
    finalUrl: redactUrl(finalUrl).url,
    page: reportOf(page),
    resources: counted.slice(0, maxResources),
    rejected: all.filter((resource) => !counts(resource)),
    foreign: reading.foreign,
    notices: reading.notices,
    signals: { ...reading.signals, ...(robots && { robots }) },
    ...(dns && { dns }),
    omitted: Math.max(0, counted.length - maxResources),
    budget: prober.budget.report(),
  }
}

/** A path that was only tried and where nothing was found is no resource; one that the site names is, broken or not. */
function counts({ sources, state }: Resource): boolean {
  const onlyTried = sources.every(({ name }) => name === 'probe')
  return !onlyTried || !['absent', 'soft-404', 'inconclusive', 'error', 'blocked'].includes(state)
}

function reportOf({ state, reasons, bytes, truncated, ...page }: PageOutcome): PageReport {
  const { message, status, mediaType } = page
  const known = {
    ...(message !== undefined && { message }),
    ...(status !== undefined && { status }),
    ...(mediaType !== undefined && { mediaType }),
  }
  return { state, reasons, ...known, bytes, truncated }
}

/** Metadata for one resource lies under its path; it is asked for where the URL is no ordinary page. */
function urlsToProbe(finalUrl: string, page: PageOutcome, extended: boolean): readonly string[] {
  const { origin, pathname } = new URL(finalUrl)
  const path = pathname.replace(/\/+$/, '')
  const urls = probeUrls(origin, extended)
  const isPage = page.scanned !== undefined || page.mediaType === 'text/markdown'
  if (path === '' || isPage || pathname.startsWith('/.well-known/')) return urls
  const suffixed = ['oauth-protected-resource', 'oauth-authorization-server'].map(
    (name) => `${origin}/.well-known/${name}${path}`,
  )
  return [...suffixed, ...urls]
}
