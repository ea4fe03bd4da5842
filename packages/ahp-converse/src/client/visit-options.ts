import { invalidOption } from '../converse-error.js'
import {
  checkNames,
  checkRecord,
  checkSignal,
  choicesOption,
  functionOption,
  integerOption,
  MAX_TIMER_MS,
  textsOption,
} from './check-option.js'
import { CONTENT_USES, type ContentUse } from './content-use.js'
import { sleep, type Sleep } from './sleep.js'
import type { FetchLike } from './transport.js'

/** How the manifest is looked for. */
export type DiscoveryMechanism = 'well-known' | 'link' | 'notice' | 'accept'

/** A secret, or a function that obtains it each time it is needed. */
export type Credential = string | (() => string | Promise<string>)

/** How often and how patiently a site is asked again that answers 429 or 503. */
export interface RetryOptions {
  /** Attempts in all, the first included. Default 4. */
  readonly maxAttempts?: number
  /** Upper bound of the first random delay in milliseconds; it doubles with each attempt. Default 1,000. */
  readonly baseDelayMs?: number
  /** Longest wait in milliseconds. A site that asks for a longer one ends the call with `rate_limited`. Default 60,000. */
  readonly maxDelayMs?: number
}

/** Options of `visit`. */
export interface VisitOptions {
  /** What sends the requests. Default: `safeFetch`, which reaches public addresses only. */
  readonly fetch?: FetchLike
  /** Header fields for the origin of the visited URL, sent to no other. */
  readonly headers?: Readonly<Record<string, string>>
  /** Sent as `User-Agent`. Default: `doorplate-ahp` and its address. */
  readonly userAgent?: string
  /** How long one request may take, its body included. Default 30,000. */
  readonly timeoutMs?: number
  /** Redirects of one request. Default 5. */
  readonly maxRedirects?: number
  /** Decoded bytes of one response. Default 2 MiB. */
  readonly maxResponseBytes?: number
  /** What the agent calls itself in `context.requesting_agent`, at most 128 characters. Default: `doorplate-ahp`. */
  readonly requestingAgent?: string
  /** The secret, sent as the manifest says: as a bearer token or as `X-AHP-Key`. */
  readonly credential?: Credential
  /**
   * `when-needed`: with actions, with capabilities that say they need it, and after a 401. `always`: with every question.
   * Default: `when-needed`.
   */
  readonly sendCredential?: 'when-needed' | 'always'
  /** Origins besides that of the visited URL that may get the credential. Default: none. */
  readonly credentialOrigins?: readonly string[]
  /** The ways to the manifest, in order. Default: `well-known`, `link`, `notice`. */
  readonly discovery?: readonly DiscoveryMechanism[]
  /** What the content will be used for: material whose content signals forbid one of these uses is refused. Default: none. */
  readonly uses?: readonly ContentUse[]
  /** How a site that answers 429 or 503 is asked again. Default: 4 attempts. */
  readonly retry?: RetryOptions
  /** Ends the visit; the call rejects with the signal's reason. */
  readonly signal?: AbortSignal
  /** The clock, in milliseconds. Default `Date.now`. */
  readonly now?: () => number
  /** From 0 to 1, for delays and the choice between equals. Default `Math.random`. */
  readonly random?: () => number
  /** Waits. Default: by timers. */
  readonly sleep?: Sleep
}

export interface ResolvedOptions {
  readonly fetch: FetchLike | undefined
  readonly timeoutMs: number
  readonly maxRedirects: number
  readonly maxResponseBytes: number
  readonly headers: Readonly<Record<string, string>>
  readonly userAgent: string
  readonly requestingAgent: string
  readonly credential: Credential | undefined
  readonly sendCredential: 'when-needed' | 'always'
  readonly credentialOrigins: readonly string[]
  readonly discovery: readonly DiscoveryMechanism[]
  readonly uses: readonly ContentUse[]
  readonly retry: Required<RetryOptions>
  readonly now: () => number
  readonly random: () => number
  readonly sleep: Sleep
}

const NAMES = [
  'fetch',
  'timeoutMs',
  'maxRedirects',
  'maxResponseBytes',
  'headers',
  'userAgent',
  'requestingAgent',
  'credential',
  'sendCredential',
  'credentialOrigins',
  'discovery',
  'uses',
  'retry',
  'signal',
  'now',
  'random',
  'sleep',
] satisfies readonly (keyof VisitOptions)[]

const MECHANISMS: readonly DiscoveryMechanism[] = ['well-known', 'link', 'notice', 'accept']

/** Fills in the defaults. Throws `invalid_option` before anything is requested. */
export function resolveVisitOptions(options: VisitOptions): ResolvedOptions {
  checkNames(options, NAMES)
  checkSignal(options.signal)
  return {
    fetch: options.fetch && functionOption('fetch', options.fetch, options.fetch),
    timeoutMs: integerOption('timeoutMs', options.timeoutMs, 30_000, { minimum: 1, maximum: MAX_TIMER_MS }),
    maxRedirects: integerOption('maxRedirects', options.maxRedirects, 5, { minimum: 0 }),
    maxResponseBytes: integerOption('maxResponseBytes', options.maxResponseBytes, 2_097_152, { minimum: 1 }),
    headers: checkHeaders(options.headers ?? {}),
    userAgent: visibleText('userAgent', options.userAgent ?? 'doorplate-ahp (+https://github.com/doorplate)'),
    requestingAgent: checkAgentName(options.requestingAgent ?? 'doorplate-ahp'),
    credential: checkCredential(options.credential),
    sendCredential: checkSending(options.sendCredential ?? 'when-needed'),
    credentialOrigins: textsOption('credentialOrigins', options.credentialOrigins ?? []).map(checkOrigin),
    discovery: choicesOption('discovery', options.discovery ?? ['well-known', 'link', 'notice'], MECHANISMS),
    uses: choicesOption('uses', options.uses ?? [], CONTENT_USES),
    retry: resolveRetry(options.retry ?? {}),
    now: functionOption('now', options.now, Date.now),
    random: functionOption('random', options.random, Math.random),
    sleep: functionOption('sleep', options.sleep, sleep),
  }
}

function resolveRetry(retry: RetryOptions): Required<RetryOptions> {
  checkRecord('retry', retry)
  const range = { minimum: 0, maximum: MAX_TIMER_MS }
  return {
    maxAttempts: integerOption('retry.maxAttempts', retry.maxAttempts, 4, { minimum: 1 }),
    baseDelayMs: integerOption('retry.baseDelayMs', retry.baseDelayMs, 1_000, range),
    maxDelayMs: integerOption('retry.maxDelayMs', retry.maxDelayMs, 60_000, range),
  }
}

function checkHeaders(headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  checkRecord('headers', headers)
  try {
    if (Object.values(headers).every((value) => typeof value === 'string'))
      return Object.fromEntries(new Headers(headers))
  } catch {
    // The platform's error would repeat the value, which may be a secret.
  }
  throw invalidOption('headers', 'must be a record of valid header names and values')
}

function visibleText(option: string, value: string): string {
  if (typeof value !== 'string' || !/^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(value))
    throw invalidOption(option, 'must be visible ASCII text')
  return value
}

function checkAgentName(value: string): string {
  if (typeof value !== 'string' || value === '' || value.length > 128)
    throw invalidOption('requestingAgent', 'must be a text of 1 to 128 characters')
  return value
}

function checkCredential(value: Credential | undefined): Credential | undefined {
  if (typeof value === 'function' || value === undefined) return value
  return visibleText('credential', value)
}

function checkSending(value: 'when-needed' | 'always'): 'when-needed' | 'always' {
  if (!['when-needed', 'always'].includes(value))
    throw invalidOption('sendCredential', 'must be when-needed or always')
  return value
}

function checkOrigin(value: string): string {
  const url = URL.canParse(value) ? new URL(value) : undefined
  if (!url || !/^https?:$/.test(url.protocol))
    throw invalidOption('credentialOrigins', 'must be a list of http or https origins')
  return url.origin
}
