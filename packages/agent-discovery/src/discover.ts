import { checkOption, isAbsentOr } from './check-option.js'
import {
  isDomain,
  lookupAgentRecords,
  type AgentRecords,
  type DnsResolver,
} from './dns/lookup-agent-records.js'
import { followDocuments } from './follow-documents.js'
import {
  addOwnDocument,
  isForAgents,
  readResponse,
  type ForeignClaim,
  type ResponseSignals,
} from './from-response.js'
import { integerOption } from './integer-option.js'
import { pathKind } from './kinds/path-kind.js'
import { loadPage, type LoadPageOptions, type PageOutcome } from './load-page.js'
import type { AgentNotice } from './meta/scanned-html.js'
import type { BudgetReport } from './probe/budget.js'
import { parseProbeOptions, type ProbeOptions, type ProbePolicy } from './probe/probe-options.js'
import { probePaths, probeUrls, type FoundDocument } from './probe/probe-origin.js'
import { Prober } from './probe/prober.js'
import { redactUrl } from './redact-url.js'
import type { Resource } from './resource.js'
import { ResourceSet } from './resource-set.js'
import { parseRobots } from './robots/parse-robots.js'
import { robotsSignals, type RobotsSignals } from './robots/robots-signals.js'
import { baseUrl } from './web-url.js'

/** Options of `discover`. */
export interface DiscoverOptions extends ProbeOptions {
  /** Ask for the conventional paths. Default true. */
  readonly probe?: boolean
  /**
   * Which of the resources that are named are fetched to verify them: none, those on the page's origin, or all. What is
   * not fetched stays `advertised`. Default `same-origin`.
   */
  readonly verify?: 'none' | 'same-origin' | 'any-origin'
  /** Header fields for the page alone; they are sent with no other request. */
  readonly pageHeaders?: Readonly<Record<string, string>>
  /** Bytes read of the page. Default 10 485 760. */
  readonly maxPageBytes?: number
  /** Time for the page, redirects and body included. Default 10 000. */
  readonly pageTimeoutMs?: number
  /** Resources in the result. Default 50. */
  readonly maxResources?: number
  /** The product token by which robots.txt is read. Default `*`. */
  readonly robotsUserAgent?: string
  /** Looks up AID and DNS-AID records of the page's host. Default: none, DNS is not asked. */
  readonly resolver?: DnsResolver
}

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

/** A discovery under way: its options, validated, and its budget. */
export interface Discovery {
  readonly url: string
  readonly options: DiscoverOptions
  readonly policy: ProbePolicy
  readonly prober: Prober
  readonly pageOptions: LoadPageOptions
  readonly verify: 'none' | 'same-origin' | 'any-origin'
  readonly maxResources: number
}

/**
 * Finds what a site offers to agents: what a page names, what lies at the conventional paths, and what those documents name
 * in turn, one level deep. Reports and never acts: no interface, login or agent is called. A failure is an entry of the
 * result and costs nothing else.
 *
 * @throws {AgentDiscoveryError} `invalid_option`, `invalid_url`; rejects with the signal's reason when aborted
 */
export async function discover(url: string | URL, options: DiscoverOptions = {}): Promise<DiscoveryResult> {
  const discovery = startDiscovery(url, options)
  return discoverFrom(await loadPage(discovery.url, discovery.pageOptions), discovery)
}

/** Validates the options; sends nothing. */
export function startDiscovery(url: string | URL, options: DiscoverOptions): Discovery {
  const start = baseUrl(url)
  const policy = parseProbeOptions(options)
  const { verify = 'same-origin', pageHeaders = {} } = options
  checkOption(
    'verify',
    ['none', 'same-origin', 'any-origin'].includes(verify),
    'none, same-origin or any-origin',
  )
  checkOption('probe', isAbsentOr('boolean', options.probe), 'true or false')
  checkOption('robotsUserAgent', isAbsentOr('string', options.robotsUserAgent), 'a text')
  checkOption('pageHeaders', areHeaders(pageHeaders), 'an object of header fields')
  checkOption('resolver', isResolver(options.resolver), 'an object with a function resolveTxt')
  const maxResources = integerOption('maxResources', options.maxResources, 50)
  const maxPageBytes = integerOption('maxPageBytes', options.maxPageBytes, 10_485_760)
  const pageTimeoutMs = integerOption('pageTimeoutMs', options.pageTimeoutMs, 10_000)
  policy.signal?.throwIfAborted()
  const prober = new Prober(policy)
  const pageOptions = { policy, budget: prober.budget, headers: pageHeaders, maxPageBytes, pageTimeoutMs }
  return { url: start.href, options, policy, prober, pageOptions, verify, maxResources }
}

function areHeaders(headers: unknown): boolean {
  if (typeof headers !== 'object' || headers === null || Array.isArray(headers)) return false
  try {
    new Headers(headers as Record<string, string>)
    return true
  } catch {
    return false
  }
}

function isResolver(resolver: unknown): boolean {
  if (resolver === undefined) return true
  if (typeof resolver !== 'object' || resolver === null) return false
  const { resolveTxt, resolveSvcb } = resolver as Readonly<Record<keyof DnsResolver, unknown>>
  return typeof resolveTxt === 'function' && isAbsentOr('function', resolveSvcb)
}

/** Goes on from a page that was loaded. */
export async function discoverFrom(page: PageOutcome, discovery: Discovery): Promise<DiscoveryResult> {
  const { url, options, policy, prober, verify, maxResources } = discovery
  const { probe = true, resolver, robotsUserAgent } = options
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
    resolver ? lookup(finalUrl, resolver, discovery) : undefined,
  ])
  documents.push(...probed)
  if (dns) claimRecords(set, dns)
  const robots = readRobots(set, documents, finalUrl, robotsUserAgent)
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

/** DNS gets what is left of the time for everything; who does not answer until then has failed. */
async function lookup(
  url: string,
  resolver: DnsResolver,
  { policy, prober }: Discovery,
): Promise<AgentRecords | undefined> {
  const name = new URL(url).hostname.replace(/\.$/, '')
  if (/^[\d.]+$/.test(name) || !isDomain(name)) return undefined
  return lookupAgentRecords(name, {
    resolver,
    timeoutMs: Math.ceil(prober.budget.remainingMs),
    ...(policy.signal && { signal: policy.signal }),
  })
}

function claimRecords(set: ResourceSet, { aid, dnsAid }: AgentRecords): void {
  const source = { name: 'dns' } as const
  if (aid?.url?.startsWith('https:')) {
    const kind =
      aid.protocol === 'mcp'
        ? 'mcp-endpoint'
        : aid.protocol === 'a2a'
          ? 'a2a-endpoint'
          : aid.protocol === 'openapi'
            ? 'openapi'
            : 'linked-resource'
    set.claim({
      url: aid.url,
      kind,
      source: { ...source, via: `_agent TXT ${aid.version}` },
      title: aid.description,
    })
  }
  for (const { kind, capability } of dnsAid) {
    if (capability !== undefined)
      set.claim({ url: capability, kind, source: { ...source, via: '_agents SVCB key65400' } })
  }
}

function readRobots(
  set: ResourceSet,
  documents: readonly FoundDocument[],
  pageUrl: string,
  userAgent = '*',
): RobotsSignals | undefined {
  const file = documents.find(
    ({ url, identification }) => pathKind(url) === 'robots-txt' && identification.verdict === 'verified',
  )
  if (!file) return undefined
  const robots = parseRobots(file.text, { url: file.url })
  for (const { url, kind, field } of robots.pointers)
    set.claim({ url, kind, source: { name: 'robots', via: field } })
  const { pathname, search } = new URL(pageUrl)
  return robotsSignals(robots, { userAgent, path: pathname + search })
}
