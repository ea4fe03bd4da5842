import { safeFetch } from '@doorplate/safe-fetch'
import { checkOption, isAbsentOr } from '../options/check-option.js'
import type { MemberNames } from '../options/check-option-names.js'
import { integerOption } from '../options/integer-option.js'
import { cleanText } from '../text/untrusted-text.js'
import type { Fetch } from './fetch-capped.js'

/** Options of `probe`, shared by `discover`. */
export interface ProbeOptions {
  /** The transport. Default: `safeFetch`, which reaches public addresses only. */
  readonly fetch?: Fetch
  /** `HEAD` asks for headers alone; then nothing can be verified. Default `GET`. */
  readonly method?: 'GET' | 'HEAD'
  /** Also ask for the less usual paths. Default false. */
  readonly extended?: boolean
  /** Requests in all; redirects count, but for those of the page, which the transport follows. Default 60. */
  readonly maxRequests?: number
  /** Bytes of bodies in all. Default 16 777 216. */
  readonly maxTotalBytes?: number
  /** Bytes read of a JSON document. Default 2 097 152. */
  readonly maxDocumentBytes?: number
  /** Bytes read of a text document: its beginning is enough. Default 65 536. robots.txt is read up to 512 000. */
  readonly maxTextBytes?: number
  /** Time for one request, redirects included. Default 5 000. */
  readonly timeoutMs?: number
  /** Time for everything. Default 20 000. */
  readonly deadlineMs?: number
  /** Requests at a time. Default 4. */
  readonly concurrency?: number
  /** Redirects followed for one resource, on its own origin only. Default 3. */
  readonly maxRedirects?: number
  /** Sent with every request. Default: whatever the transport sends. */
  readonly userAgent?: string
  readonly signal?: AbortSignal
  /** Milliseconds, for budgets. Default `performance.now`. */
  readonly now?: () => number
  /** Randomness in [0, 1), for paths that cannot exist. Default `Math.random`. */
  readonly random?: () => number
}

export const PROBE_OPTION_NAMES: MemberNames<ProbeOptions> = {
  fetch: true,
  method: true,
  extended: true,
  maxRequests: true,
  maxTotalBytes: true,
  maxDocumentBytes: true,
  maxTextBytes: true,
  timeoutMs: true,
  deadlineMs: true,
  concurrency: true,
  maxRedirects: true,
  userAgent: true,
  signal: true,
  now: true,
  random: true,
}

export interface ProbePolicy {
  readonly fetch: Fetch
  readonly method: 'GET' | 'HEAD'
  readonly extended: boolean
  readonly maxRequests: number
  readonly maxTotalBytes: number
  readonly maxDocumentBytes: number
  readonly maxTextBytes: number
  readonly timeoutMs: number
  readonly deadlineMs: number
  readonly concurrency: number
  readonly maxRedirects: number
  readonly headers: Readonly<Record<string, string>>
  readonly signal: AbortSignal | undefined
  readonly now: () => number
  readonly random: () => number
}

/** @throws {AgentDiscoveryError} `invalid_option` */
export function parseProbeOptions(options: ProbeOptions): ProbePolicy {
  const { method = 'GET', userAgent, signal } = options
  // eslint-disable-next-line @typescript-eslint/no-unnecessary-condition -- callers without types
  checkOption('method', method === 'GET' || method === 'HEAD', 'GET or HEAD')
  checkOption('userAgent', isAbsentOr('string', userAgent) && isLine(userAgent), 'one line of text')
  checkOption('signal', signal === undefined || (signal as unknown) instanceof AbortSignal, 'an AbortSignal')
  for (const name of ['fetch', 'now', 'random'] as const)
    checkOption(name, isAbsentOr('function', options[name]), 'a function')
  checkOption('extended', isAbsentOr('boolean', options.extended), 'true or false')
  return {
    fetch: options.fetch ?? safeFetch,
    method,
    extended: options.extended ?? false,
    maxRequests: integerOption('maxRequests', options.maxRequests, 60),
    maxTotalBytes: integerOption('maxTotalBytes', options.maxTotalBytes, 16_777_216),
    maxDocumentBytes: integerOption('maxDocumentBytes', options.maxDocumentBytes, 2_097_152),
    maxTextBytes: integerOption('maxTextBytes', options.maxTextBytes, 65_536),
    timeoutMs: integerOption('timeoutMs', options.timeoutMs, 5_000),
    deadlineMs: integerOption('deadlineMs', options.deadlineMs, 20_000),
    concurrency: integerOption('concurrency', options.concurrency, 4, 1, 64),
    maxRedirects: integerOption('maxRedirects', options.maxRedirects, 3, 0, 20),
    headers: userAgent === undefined ? {} : { 'user-agent': userAgent },
    signal,
    now: options.now ?? (() => performance.now()),
    random: options.random ?? Math.random,
  }
}

function isLine(text: string | undefined): boolean {
  return text === undefined || (text !== '' && cleanText(text, 1000) === text)
}
