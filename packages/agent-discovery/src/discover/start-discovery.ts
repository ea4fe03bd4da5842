import { isResolver, type DnsResolver } from '../dns/lookup-agent-records.js'
import { checkOption, isAbsentOr } from '../options/check-option.js'
import type { MemberNames } from '../options/check-option-names.js'
import { integerOption } from '../options/integer-option.js'
import {
  parseProbeOptions,
  PROBE_OPTION_NAMES,
  type ProbeOptions,
  type ProbePolicy,
} from '../probe/probe-options.js'
import { Prober } from '../probe/prober.js'
import { baseUrl } from '../url/web-url.js'
import type { LoadPageOptions } from './load-page.js'

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

export const DISCOVER_OPTION_NAMES: MemberNames<DiscoverOptions> = {
  ...PROBE_OPTION_NAMES,
  probe: true,
  verify: true,
  pageHeaders: true,
  maxPageBytes: true,
  pageTimeoutMs: true,
  maxResources: true,
  robotsUserAgent: true,
  resolver: true,
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

/** Validates the options, but for their names, which are those of the caller; sends nothing. */
export function startDiscovery(url: string | URL, options: DiscoverOptions): Discovery {
  const start = baseUrl(url)
  const policy = parseProbeOptions(options)
  const { verify = 'same-origin', pageHeaders = {}, resolver } = options
  checkOption(
    'verify',
    ['none', 'same-origin', 'any-origin'].includes(verify),
    'none, same-origin or any-origin',
  )
  checkOption('probe', isAbsentOr('boolean', options.probe), 'true or false')
  checkOption('robotsUserAgent', isAbsentOr('string', options.robotsUserAgent), 'a text')
  checkOption('pageHeaders', areHeaders(pageHeaders), 'an object of header fields')
  checkOption(
    'resolver',
    resolver === undefined || isResolver(resolver),
    'an object with a function resolveTxt',
  )
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
