import { SUPPORTED_VERSIONS, type AadpVersion } from '@doorplate/aadp-schemas'
import {
  checkOptionNames,
  checkOptionTypes,
  integerOption,
  isConformanceError,
  type CheckResult,
  type LoggedRequest,
} from '@doorplate/conformance-kit'
import type { SafeFetch } from '@doorplate/safe-fetch'
import {
  InvalidBaseUrlError,
  InvalidConformanceOptionsError,
  UnsupportedConformanceVersionError,
} from './errors.js'
import { PROFILES, type Limits, type Profile } from './profiles.js'

/** URLs at which the site has nothing, chosen by somebody who knows it. */
export interface NegativeTargets {
  /** An entity that does not exist, of a type that does: must be answered with `not_found`. */
  readonly unknownEntityUrl?: string
  /** A sitemap or entity of a type that does not exist: must be answered with `unsupported_type`. */
  readonly unknownTypeUrl?: string
}

export interface RunConformanceOptions extends Partial<Limits> {
  /** Default `1.0`. */
  readonly protocolVersion?: AadpVersion
  /** Limits to begin with; single ones replace them. Default: `core`, and `full-traversal` for that many entities. */
  readonly profile?: Profile
  /** Picks the sample of entities; the same seed picks the same. Default: a random one, which the report names. */
  readonly seed?: number
  /** Documents read at the same time. Default 4. */
  readonly concurrency?: number
  readonly negativeTargets?: NegativeTargets
  /** Time for one request, redirects included. Default 10 000. */
  readonly timeoutMs?: number
  /** Default 5. */
  readonly maxRedirects?: number
  /** Bytes of one response after decoding. Default 2 097 152 (2 MiB). */
  readonly maxResponseBytes?: number
  /** Bytes of all responses together. Default unlimited. */
  readonly maxTotalBytes?: number
  /** Header fields for the origin of the base URL; no other origin sees them. */
  readonly headers?: Readonly<Record<string, string>>
  /** Names of those of `headers` that other origins may see too. */
  readonly crossOriginSafeHeaders?: readonly string[]
  /** Try again after failures that may pass. Default: no. */
  readonly retry?: {
    readonly maxAttempts?: number
    readonly baseDelayMs?: number
    readonly maxDelayMs?: number
  }
  /** Let the host of the base URL, and it alone, be a private one. Default false. */
  readonly allowPrivateNetwork?: boolean
  /** Further hosts, `host:port` or CIDR blocks that may be private. */
  readonly dangerouslyAllow?: readonly string[]
  /** Ids of checks to run, `http.*` for a branch; what they need runs too. Default: all checks. */
  readonly only?: readonly string[]
  /** Count a warning as a failure. Default false. */
  readonly failOnWarning?: boolean
  /** Ends the run early; the report of what was seen is still made. */
  readonly signal?: AbortSignal
  /** Replaces the guarded fetch, and with it the options about the network. */
  readonly fetch?: SafeFetch | typeof globalThis.fetch
  /** The wall clock in milliseconds. Default `Date.now`. */
  readonly now?: () => number
  /** Told about each check as soon as it is settled. */
  readonly onCheck?: (result: CheckResult) => void
  /** Told about each request as soon as it is over. */
  readonly onRequest?: (request: LoggedRequest) => void
}

/** The options of a run, validated and completed. */
export interface RunSettings extends Limits {
  /** Origin of the target, without a slash at the end. */
  readonly origin: string
  readonly version: AadpVersion
  readonly seed: number
  readonly concurrency: number
  readonly negativeTargets: NegativeTargets
  readonly timeoutMs: number
  readonly maxRedirects: number
  readonly maxResponseBytes: number
  readonly maxTotalBytes: number
}

/** @throws {AadpConformanceError} `invalid_base_url`, `unsupported_version`, `invalid_option` */
export function resolveOptions(baseUrl: string | URL, options: RunConformanceOptions): RunSettings {
  checkShape(options)
  const { protocolVersion: version = '1.0', profile = 'core' } = options
  const origin = originOf(baseUrl)
  if (!SUPPORTED_VERSIONS.includes(version)) throw new UnsupportedConformanceVersionError(version)
  if (!Object.hasOwn(PROFILES, profile))
    throw invalid('profile', `one of ${Object.keys(PROFILES).join(', ')}`)
  const { entities = PROFILES[profile].entities } = options
  const defaults = limitsFor(entities, PROFILES[profile])
  return {
    origin,
    version,
    maxPages: integer('maxPages', options.maxPages, defaults.maxPages, 1),
    maxEntities: integer('maxEntities', options.maxEntities, defaults.maxEntities, 1),
    maxSitemaps: integer('maxSitemaps', options.maxSitemaps, defaults.maxSitemaps, 1),
    maxRequests: integer('maxRequests', options.maxRequests, defaults.maxRequests, 1),
    deadlineMs: integer('deadlineMs', options.deadlineMs, defaults.deadlineMs, 1, 2_147_483_647),
    entities: entities === 'all' ? 'all' : integer('entities', entities, 25, 1),
    seed: integer('seed', options.seed, Math.floor(Math.random() * 2 ** 32), 0, 2 ** 32 - 1),
    concurrency: integer('concurrency', options.concurrency, 4, 1, 100),
    negativeTargets: checkTargets(options.negativeTargets ?? {}),
    timeoutMs: integer('timeoutMs', options.timeoutMs, 10_000, 1, 2_147_483_647),
    maxRedirects: integer('maxRedirects', options.maxRedirects, 5, 0),
    maxResponseBytes: integer('maxResponseBytes', options.maxResponseBytes, 2_097_152, 1),
    maxTotalBytes: integer('maxTotalBytes', options.maxTotalBytes, Number.MAX_SAFE_INTEGER, 1),
  }
}

const OPTION_TYPES = {
  negativeTargets: 'record',
  headers: 'record',
  crossOriginSafeHeaders: 'names',
  retry: 'record',
  allowPrivateNetwork: 'flag',
  dangerouslyAllow: 'names',
  only: 'names',
  failOnWarning: 'flag',
  signal: 'signal',
  fetch: 'callback',
  now: 'callback',
  onCheck: 'callback',
  onRequest: 'callback',
} as const

/** All of them: a name that is not here is a misspelt one. */
const OPTION_NAMES: Readonly<Record<keyof RunConformanceOptions, true>> = {
  protocolVersion: true,
  profile: true,
  entities: true,
  seed: true,
  maxPages: true,
  maxEntities: true,
  maxSitemaps: true,
  maxRequests: true,
  deadlineMs: true,
  concurrency: true,
  negativeTargets: true,
  timeoutMs: true,
  maxRedirects: true,
  maxResponseBytes: true,
  maxTotalBytes: true,
  headers: true,
  crossOriginSafeHeaders: true,
  retry: true,
  allowPrivateNetwork: true,
  dangerouslyAllow: true,
  only: true,
  failOnWarning: true,
  signal: true,
  fetch: true,
  now: true,
  onCheck: true,
  onRequest: true,
}

const TARGET_NAMES: Readonly<Record<keyof NegativeTargets, true>> = {
  unknownEntityUrl: true,
  unknownTypeUrl: true,
}

const RETRY_NAMES: Readonly<Record<keyof NonNullable<RunConformanceOptions['retry']>, true>> = {
  maxAttempts: true,
  baseDelayMs: true,
  maxDelayMs: true,
}

function checkShape(options: RunConformanceOptions): void {
  try {
    checkOptionTypes(options, OPTION_TYPES)
    checkOptionNames(options, Object.keys(OPTION_NAMES))
    checkOptionNames(options.negativeTargets ?? {}, Object.keys(TARGET_NAMES), 'negativeTargets')
    checkOptionNames(options.retry ?? {}, Object.keys(RETRY_NAMES), 'retry')
  } catch (error) {
    if (!isConformanceError(error)) throw error
    throw new InvalidConformanceOptionsError(error.option ?? 'options', error.message, error)
  }
}

/** Whoever asks for more entities than a profile has room for means it, and gets the limits that go with it. */
function limitsFor(entities: Limits['entities'], profile: Limits): Limits {
  const isMore = entities === 'all' || entities > profile.maxEntities
  return isMore ? PROFILES['full-traversal'] : profile
}

function originOf(baseUrl: unknown): string {
  const text = baseUrl instanceof URL ? baseUrl.href : baseUrl
  if (!isPlainHttpUrl(text)) throw new InvalidBaseUrlError()
  return new URL(text).origin
}

/** An absolute http or https URL without user name and password, which no request could carry. */
function isPlainHttpUrl(text: unknown): text is string {
  if (typeof text !== 'string' || !URL.canParse(text)) return false
  const { protocol, username, password } = new URL(text)
  return /^https?:$/.test(protocol) && username === '' && password === ''
}

function checkTargets(targets: NegativeTargets): NegativeTargets {
  for (const name of ['unknownEntityUrl', 'unknownTypeUrl'] as const) {
    const url = targets[name]
    if (url === undefined) continue
    if (!isPlainHttpUrl(url))
      throw invalid(`negativeTargets.${name}`, 'an absolute http or https URL without user name and password')
  }
  return targets
}

function integer(
  option: string,
  value: number | undefined,
  fallback: number,
  minimum: number,
  maximum?: number,
): number {
  try {
    return integerOption(option, value, fallback, minimum, maximum)
  } catch (error) {
    if (!isConformanceError(error)) throw error
    throw invalid(
      option,
      `a whole number of at least ${minimum}${maximum === undefined ? '' : ` and at most ${maximum}`}`,
      error,
    )
  }
}

function invalid(option: string, expectation: string, cause?: unknown): InvalidConformanceOptionsError {
  return new InvalidConformanceOptionsError(option, `Option ${option} must be ${expectation}.`, cause)
}
