import { Budget, type DiscoveryBudgetState } from './budget.js'
import {
  checkBoolean,
  checkFunction,
  checkInteger,
  checkMembers,
  checkRecord,
  checkSignal,
  checkTexts,
  ifGiven,
  type MemberNames,
} from './check-option.js'
import { InvalidOptionError } from '../errors.js'
import type { FetchLike } from '../transport/transport.js'
import { MAX_TIMER_MS } from '../waiting/max-timer.js'

/** Retries of network errors, timeouts and the statuses 429, 502, 503 and 504. */
export interface RetryOptions {
  /** Attempts in all, the first included. Default 3. */
  readonly maxAttempts?: number
  /** Upper bound of the first random delay in milliseconds; it doubles with each attempt. Default 500. */
  readonly baseDelayMs?: number
  /** Longest delay in milliseconds; a site that asks for a longer one is not asked again. Default 10,000. */
  readonly maxDelayMs?: number
}

/** The secret for a security scheme of the manifest, or a function that obtains it when it is first needed. */
export type CredentialProvider = string | (() => string | undefined | Promise<string | undefined>)

/** Options of everything that reads from the network. */
export interface ClientOptions {
  /** The transport. Default: the shared strict `safeFetch` of `@doorplate/safe-fetch`. */
  readonly fetch?: FetchLike
  /** For each request, connecting and body included. Default 10,000. */
  readonly timeoutMs?: number
  /** Default 5. */
  readonly maxRedirects?: number
  /** Decoded bytes of one response. Default 2 MiB; a manifest may never have more than 256 KiB. */
  readonly maxResponseBytes?: number
  /** Sent to the origin that the call starts from, and to no other. */
  readonly headers?: Readonly<Record<string, string>>
  /** Default: `doorplate-aadp-client` and its address. */
  readonly userAgent?: string
  /** Cancels everything; the call rejects with the signal's reason. */
  readonly signal?: AbortSignal
  /** Default: no retries. */
  readonly retry?: RetryOptions
  /** Shared by several calls, from `createDiscoveryBudget`. */
  readonly budget?: DiscoveryBudgetState
  /** Secrets by the id of a security scheme, sent as the manifest says once it is validated (AADP 1.0 only). */
  readonly credentials?: Readonly<Record<string, CredentialProvider>>
  /** The only origins that `credentials` are sent to. Default: the origin that the call starts from. */
  readonly credentialOrigins?: readonly string[]
  /** Whether to leave out what robots.txt disallows. Default false. */
  readonly respectRobots?: boolean
  /** Requests in flight to one origin. Default `Infinity`: only `concurrency` counts. */
  readonly maxConcurrencyPerOrigin?: number
  /** Milliseconds between the starts of two requests to one origin. Default 0. */
  readonly minDelayPerOriginMs?: number
  /** The clock, in milliseconds. Default `Date.now`. */
  readonly now?: () => number
  /** From 0 to 1, for the delays between retries. Default `Math.random`. */
  readonly random?: () => number
}

export const CLIENT_OPTIONS: MemberNames<ClientOptions> = {
  fetch: true,
  timeoutMs: true,
  maxRedirects: true,
  maxResponseBytes: true,
  headers: true,
  userAgent: true,
  signal: true,
  retry: true,
  budget: true,
  credentials: true,
  credentialOrigins: true,
  respectRobots: true,
  maxConcurrencyPerOrigin: true,
  minDelayPerOriginMs: true,
  now: true,
  random: true,
}

const RETRY_OPTIONS: MemberNames<RetryOptions> = { maxAttempts: true, baseDelayMs: true, maxDelayMs: true }

export interface ResolvedRetry {
  readonly maxAttempts: number
  readonly baseDelayMs: number
  readonly maxDelayMs: number
}

export const MAX_MANIFEST_BYTES = 262_144
const DEFAULT_USER_AGENT = 'doorplate-aadp-client (+https://github.com/doorplate/doorplate)'

export type ResolvedOptions = ReturnType<typeof resolveClientOptions>

/** Fills in the defaults; `known` names all that may be among the options. Throws `invalid_option` before anything is requested. */
export function resolveClientOptions(
  options: ClientOptions,
  known: MemberNames<ClientOptions> = CLIENT_OPTIONS,
): {
  readonly fetch: FetchLike | undefined
  readonly timeoutMs: number
  readonly maxRedirects: number
  readonly maxResponseBytes: number
  readonly headers: Readonly<Record<string, string>> | undefined
  readonly userAgent: string
  readonly signal: AbortSignal | undefined
  readonly retry: ResolvedRetry
  readonly budget: Budget | undefined
  readonly credentials: Readonly<Record<string, CredentialProvider>>
  readonly credentialOrigins: readonly string[] | undefined
  readonly respectRobots: boolean
  readonly maxConcurrencyPerOrigin: number
  readonly minDelayPerOriginMs: number
  readonly now: () => number
  readonly random: () => number
} {
  checkMembers(options, known)
  const { retry, budget, credentials, credentialOrigins } = options
  ifGiven(retry, (value) => {
    checkMembers(value, RETRY_OPTIONS, 'retry')
  })
  return {
    fetch: ifGiven(options.fetch, (value) => checkFunction('fetch', value)),
    timeoutMs: checkInteger('timeoutMs', options.timeoutMs ?? 10_000, { minimum: 1, maximum: MAX_TIMER_MS }),
    maxRedirects: checkInteger('maxRedirects', options.maxRedirects ?? 5, { minimum: 0 }),
    maxResponseBytes: checkInteger('maxResponseBytes', options.maxResponseBytes ?? 2_097_152, { minimum: 1 }),
    headers: ifGiven(options.headers, checkHeaders),
    userAgent: checkUserAgent(options.userAgent ?? DEFAULT_USER_AGENT),
    signal: ifGiven(options.signal, checkSignal),
    retry: {
      maxAttempts: checkInteger('retry.maxAttempts', retry ? (retry.maxAttempts ?? 3) : 1, { minimum: 1 }),
      baseDelayMs: checkInteger('retry.baseDelayMs', retry?.baseDelayMs ?? 500, {
        minimum: 0,
        maximum: MAX_TIMER_MS,
      }),
      maxDelayMs: checkInteger('retry.maxDelayMs', retry?.maxDelayMs ?? 10_000, {
        minimum: 0,
        maximum: MAX_TIMER_MS,
      }),
    },
    budget: ifGiven(budget, checkBudget),
    credentials: ifGiven(credentials, checkCredentials) ?? {},
    credentialOrigins: ifGiven(credentialOrigins, (value) =>
      checkTexts('credentialOrigins', value).map(checkOrigin),
    ),
    respectRobots: checkBoolean('respectRobots', options.respectRobots ?? false),
    maxConcurrencyPerOrigin: checkInteger(
      'maxConcurrencyPerOrigin',
      options.maxConcurrencyPerOrigin ?? Infinity,
      {
        minimum: 1,
        infinity: true,
      },
    ),
    minDelayPerOriginMs: checkInteger('minDelayPerOriginMs', options.minDelayPerOriginMs ?? 0, {
      minimum: 0,
      maximum: MAX_TIMER_MS,
    }),
    now: checkFunction('now', options.now ?? Date.now),
    random: checkFunction('random', options.random ?? Math.random),
  }
}

/** A budget has private parts, so that only one of this copy of the package will do. */
function checkBudget(value: DiscoveryBudgetState): Budget {
  if (value instanceof Budget) return value
  throw new InvalidOptionError('budget', 'a value of createDiscoveryBudget')
}

function checkHeaders(headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  try {
    if (Object.values(headers).every((value) => typeof value === 'string')) {
      return Object.fromEntries(new Headers(headers))
    }
  } catch {
    // The platform's error would repeat the value, which may be a secret.
  }
  throw new InvalidOptionError('headers', 'a record of valid header names and values')
}

function checkCredentials(
  credentials: Readonly<Record<string, CredentialProvider>>,
): Readonly<Record<string, CredentialProvider>> {
  const providers = Object.values(checkRecord('credentials', credentials))
  if (!providers.every((provider) => typeof provider === 'string' || typeof provider === 'function')) {
    throw new InvalidOptionError('credentials', 'a record of texts or functions')
  }
  return credentials
}

function checkUserAgent(value: string): string {
  if (typeof value !== 'string' || !/^[\x21-\x7e][\x20-\x7e]*$/.test(value))
    throw new InvalidOptionError('userAgent', 'visible ASCII text')
  return value
}

function checkOrigin(value: string): string {
  const url = URL.canParse(value) ? new URL(value) : undefined
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw new InvalidOptionError('credentialOrigins', 'a list of http(s) origins')
  }
  return url.origin
}
