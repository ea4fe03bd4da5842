import { SUPPORTED_VERSIONS, type AadpVersion } from '@doorplate/aadp-schemas'
import {
  checkOptionNames,
  checkOptionTypes,
  integerOption,
  isConformanceError,
  isPlainHttpUrl,
  NETWORK_OPTION_NAMES,
  NETWORK_OPTION_TYPES,
  networkSettings,
  plainHttpOrigin,
  RUN_OPTION_TYPES,
  type NetworkOptions,
  type NetworkSettings,
  type RunOptions,
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

export interface RunConformanceOptions extends Partial<Limits>, NetworkOptions, RunOptions {
  /** Default `1.0`. */
  readonly protocolVersion?: AadpVersion
  /** Limits to begin with; single ones replace them. Default: `core`, and `full-traversal` for that many entities. */
  readonly profile?: Profile
  /** Picks the sample of entities; the same seed picks the same. Default: a random one, which the report names. */
  readonly seed?: number
  /** Documents read at the same time. Default 4. */
  readonly concurrency?: number
  /** URLs at which the site has nothing. Default: derived, and then those checks warn at most. */
  readonly negativeTargets?: NegativeTargets
  /** Try again after failures that may pass. Default: no. */
  readonly retry?: {
    /** Attempts in all. Default 3. */
    readonly maxAttempts?: number
    /** Ceiling of the first delay in milliseconds, doubled with each. Default 250. */
    readonly baseDelayMs?: number
    /** Longest wait in milliseconds. Default 10,000. */
    readonly maxDelayMs?: number
  }
  /** Replaces the guarded fetch, and with it the options about the network. Default: `createSafeFetch` with these options. */
  readonly fetch?: SafeFetch | typeof globalThis.fetch
}

/** The options of a run, validated and completed. */
export interface RunSettings extends Limits, NetworkSettings {
  /** Origin of the target, without a slash at the end. */
  readonly origin: string
  readonly version: AadpVersion
  readonly seed: number
  readonly concurrency: number
  readonly negativeTargets: NegativeTargets
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
    ...inOurWords(() => networkSettings(options)),
  }
}

const OPTION_TYPES = {
  ...NETWORK_OPTION_TYPES,
  ...RUN_OPTION_TYPES,
  negativeTargets: 'record',
  retry: 'record',
  fetch: 'callback',
} as const

type OwnOption = Exclude<keyof RunConformanceOptions, keyof NetworkOptions | keyof RunOptions>

/** All that are not about the network or the run: a name that is not here either is a misspelt one. */
const OWN_NAMES: Readonly<Record<OwnOption, true>> = {
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
  retry: true,
  fetch: true,
}

const OPTION_NAMES = [...Object.keys(OWN_NAMES), ...NETWORK_OPTION_NAMES, ...Object.keys(RUN_OPTION_TYPES)]

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
  inOurWords(() => {
    checkOptionTypes(options, OPTION_TYPES)
    checkOptionNames(options, OPTION_NAMES)
    checkOptionNames(options.negativeTargets ?? {}, Object.keys(TARGET_NAMES), 'negativeTargets')
    checkOptionNames(options.retry ?? {}, Object.keys(RETRY_NAMES), 'retry')
  })
}

/** What the engine refuses is refused by an error of this package. */
export function inOurWords<Value>(check: () => Value): Value {
  try {
    return check()
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
  const origin = plainHttpOrigin(baseUrl)
  if (origin === undefined) throw new InvalidBaseUrlError()
  return origin
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

function integer(...option: Parameters<typeof integerOption>): number {
  return inOurWords(() => integerOption(...option))
}

function invalid(option: string, expectation: string, cause?: unknown): InvalidConformanceOptionsError {
  return new InvalidConformanceOptionsError(option, `Option ${option} must be ${expectation}.`, cause)
}
