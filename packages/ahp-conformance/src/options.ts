import {
  checkOptionNames,
  checkOptionTypes,
  integerOption,
  isAboutOptions,
  isPlainHttpUrl,
  MAX_TIMER_MS,
  NETWORK_OPTION_NAMES,
  NETWORK_OPTION_TYPES,
  networkSettings,
  plainHttpOrigin,
  RUN_OPTION_TYPES,
  type NetworkOptions,
  type NetworkSettings,
  type OptionType,
  type RunOptions,
} from '@doorplate/conformance-kit'
import type { SafeFetch } from '@doorplate/safe-fetch'
import { AhpConformanceError, invalidOption } from './errors.js'
import { checkProbes, type Probes } from './probes.js'
import { PROFILES, type Profile } from './profiles.js'
import { sleep, type Sleep } from './sleep.js'

/** Where answers that come late are to be posted. */
export interface CallbackOptions {
  /** What the site is told: an https URL that leads to this process, or a function that makes it of the port. */
  readonly url: string | ((port: number) => string)
  /** Port on 127.0.0.1 that this process listens on, in plain http. Default where `url` is a function: a free one. */
  readonly port?: number
}

export interface RunConformanceOptions extends NetworkOptions, RunOptions {
  /** Which part of the protocol is judged. Default: whatever the site declares. */
  readonly profile?: Profile
  /** The secret for the site, sent as its manifest says, to the origin of the base URL, and only where a check is about it. Default: none. */
  readonly credential?: string
  /** Questions that show what the site does. Default: its capabilities of MODE2 are tried. */
  readonly probes?: Probes
  /** Paths or URLs of pages that must hold the notice for agents. Default: `/`. */
  readonly pages?: readonly string[]
  /** Turns that a session may have. Default 10. */
  readonly maxTurns?: number
  /** How long the site keeps a session without a turn. Its end is judged only when this is given, and takes as long. Milliseconds. Default: not judged. */
  readonly sessionIdleMs?: number
  /** Longest wait for work that is answered later. Default 60 000. */
  readonly jobTimeoutMs?: number
  /** Receive a callback as well. Default: none is received. */
  readonly callback?: CallbackOptions
  /** Ask until the site refuses, as the last thing of the run. Default false. */
  readonly rate?: boolean
  /** Requests that `rate` may send. Default 300. */
  readonly maxRateRequests?: number
  /** Longest wait for a limit of the site to be over. Default 90 000. */
  readonly maxWaitMs?: number
  /** Requests of the whole run. Default 2 000. */
  readonly maxRequests?: number
  /** Time for the whole run, waiting included. Default 900 000. */
  readonly deadlineMs?: number
  /** Replaces the guarded fetch, and with it the options about the network. Default: `createSafeFetch` with these options. */
  readonly fetch?: SafeFetch | typeof globalThis.fetch
  /** Waits. Default: by timers. */
  readonly sleep?: Sleep
}

/** The options of a run, validated and completed. */
export interface RunSettings extends NetworkSettings {
  /** Origin of the target, without a slash at the end. */
  readonly origin: string
  readonly profile: Profile
  readonly credential: string | undefined
  readonly probes: Probes
  readonly pages: readonly string[]
  readonly maxTurns: number
  readonly sessionIdleMs: number | undefined
  readonly jobTimeoutMs: number
  readonly callback: CallbackOptions | undefined
  readonly rate: boolean
  readonly maxRateRequests: number
  readonly maxWaitMs: number
  readonly maxRequests: number
  readonly deadlineMs: number
  readonly now: () => number
  readonly sleep: Sleep
  readonly onWait: (waitMs: number) => void
}

/** @throws {AhpConformanceError} `invalid_base_url`, `invalid_option` */
export function resolveOptions(baseUrl: string | URL, options: RunConformanceOptions): RunSettings {
  return inOurWords(() => {
    checkOptionTypes(options, OPTION_TYPES)
    checkOptionNames(options, OPTION_NAMES)
    const origin = plainHttpOrigin(baseUrl)
    if (origin === undefined)
      throw new AhpConformanceError(
        'invalid_base_url',
        'The base URL must be an http or https URL without user name and password.',
      )
    return {
      origin,
      profile: checkProfile(options.profile ?? 'full'),
      credential: checkCredential(options.credential, options.headers),
      probes: checkProbes(options.probes ?? {}),
      pages: (options.pages ?? ['/']).map((page) => checkPage(page, origin)),
      maxTurns: integerOption('maxTurns', options.maxTurns, 10, 1, 1_000),
      sessionIdleMs: wholeOrNone('sessionIdleMs', options.sessionIdleMs),
      jobTimeoutMs: integerOption('jobTimeoutMs', options.jobTimeoutMs, 60_000, 1, MAX_TIMER_MS),
      callback: options.callback && checkCallback(options.callback),
      rate: options.rate ?? false,
      maxRateRequests: integerOption('maxRateRequests', options.maxRateRequests, 300, 1),
      maxWaitMs: integerOption('maxWaitMs', options.maxWaitMs, 90_000, 0, MAX_TIMER_MS),
      maxRequests: integerOption('maxRequests', options.maxRequests, 2_000, 1),
      deadlineMs: integerOption('deadlineMs', options.deadlineMs, 900_000, 1, MAX_TIMER_MS),
      now: checkClock(options.now ?? Date.now),
      sleep: options.sleep ?? sleep,
      onWait: options.onWait ?? (() => undefined),
      ...networkSettings(options),
    }
  })
}

/** What the engine refuses is refused by an error of this package. */
export function inOurWords<Value>(check: () => Value): Value {
  try {
    return check()
  } catch (error) {
    throw optionError(error)
  }
}

/** What the engine says of an option as an error of this package; anything else as it is. */
export function optionError(error: unknown): unknown {
  if (!isAboutOptions(error)) return error
  const { option = error.code === 'unknown_check' ? 'only' : 'options' } = error
  return new AhpConformanceError('invalid_option', error.message, { option, cause: error })
}

type OwnOption = Exclude<keyof RunConformanceOptions, keyof NetworkOptions | keyof RunOptions>

/** The type of each option of our own; `undefined` where a check of its own follows. */
const OWN_OPTIONS: Readonly<Record<OwnOption, OptionType | undefined>> = {
  profile: undefined,
  credential: undefined,
  probes: 'record',
  pages: 'names',
  maxTurns: undefined,
  sessionIdleMs: undefined,
  jobTimeoutMs: undefined,
  callback: 'record',
  rate: 'flag',
  maxRateRequests: undefined,
  maxWaitMs: undefined,
  maxRequests: undefined,
  deadlineMs: undefined,
  fetch: 'callback',
  sleep: 'callback',
}

const OPTION_TYPES: Readonly<Record<string, OptionType>> = {
  ...NETWORK_OPTION_TYPES,
  ...RUN_OPTION_TYPES,
  ...(Object.fromEntries(Object.entries(OWN_OPTIONS).filter(([, type]) => type !== undefined)) as Record<
    string,
    OptionType
  >),
}

const OPTION_NAMES = [...Object.keys(OWN_OPTIONS), ...NETWORK_OPTION_NAMES, ...Object.keys(RUN_OPTION_TYPES)]

function checkProfile(profile: Profile): Profile {
  if (Object.hasOwn(PROFILES, profile)) return profile
  throw invalidOption('profile', `one of ${Object.keys(PROFILES).join(', ')}`)
}

/** A credential among the header fields would go with every request, and no check would see an anonymous answer. */
function checkCredential(
  credential: string | undefined,
  headers: Readonly<Record<string, string>> = {},
): string | undefined {
  const isCredential = ([name, value]: readonly [string, unknown]): boolean =>
    /^x-ahp-key$/i.test(name) || (/^authorization$/i.test(name) && /^bearer\b/i.test(String(value)))
  if (Object.entries(headers).some(isCredential))
    throw invalidOption('headers', 'without the credential of the site, which is given as credential')
  if (credential === undefined || (typeof (credential as unknown) === 'string' && TOKEN.test(credential)))
    return credential
  throw invalidOption('credential', 'visible ASCII text without spaces')
}

const TOKEN = /^[\x21-\x7e]+$/

function checkPage(page: string, origin: string): string {
  const url = URL.canParse(page, origin) ? new URL(page, origin).href : ''
  if (isPlainHttpUrl(url)) return url
  throw invalidOption('pages', 'a list of paths or of http or https URLs without user name and password')
}

function checkCallback(callback: CallbackOptions): CallbackOptions {
  checkOptionNames(callback, ['url', 'port'], 'callback')
  const { url, port } = callback
  if (typeof url !== 'function') checkCallbackUrl(url)
  integerOption('callback.port', port, 0, 0, 65_535)
  if (typeof url !== 'function' && (port ?? 0) === 0)
    throw invalidOption('callback.port', 'the port that callback.url leads to')
  return callback
}

/** @throws {AhpConformanceError} `invalid_option` */
export function checkCallbackUrl(url: string): string {
  if (isPlainHttpUrl(url)) return url
  throw invalidOption('callback.url', 'an http or https URL without user name and password')
}

function wholeOrNone(option: string, value: number | undefined): number | undefined {
  return value === undefined ? undefined : integerOption(option, value, 0, 1, MAX_TIMER_MS)
}

/** A clock that shows a time that a date can hold (ECMA-262, 21.4.1.1). */
function checkClock(now: () => number): () => number {
  if (Math.abs(now()) <= 8.64e15) return now
  throw invalidOption('now', 'a clock in milliseconds')
}
