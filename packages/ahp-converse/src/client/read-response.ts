import { isAhpMessageError, parseResponse, type ParsedResponse } from '@doorplate/ahp-manifest/messages'
import { ConverseError } from '../converse-error.js'
import type { Received } from './follow-redirects.js'
import { parseJson } from './parse-json.js'
import { shownUrl } from './site-url.js'

/** The state of the site's request limit. */
export interface RateLimitState {
  readonly limit: number
  readonly remaining: number
  /** Unix time. */
  readonly resetUnixSeconds: number
  readonly windowSeconds: number
}

/** A response of a site as it was read. */
export interface ReadResponse extends ParsedResponse {
  readonly httpStatus: number
  readonly rateLimit: RateLimitState | undefined
}

/**
 * The message in an HTTP response. Throws `http_status` where a status of failure comes without an AHP error, and
 * `invalid_response` where a success cannot be used.
 */
export function readResponse(received: Received): ReadResponse {
  const { status, url } = received
  const isSuccess = status >= 200 && status < 300
  const read = readMessage(parseJson(received.body))
  if ('response' in read && (isSuccess || ENDS.has(read.response.status)))
    return { ...read, httpStatus: status, rateLimit: rateLimitOf(received.headers) }
  const shown = shownUrl(url)
  if (!isSuccess)
    throw new ConverseError('http_status', `Status ${status} from ${shown}`, { url: shown, status })
  throw unusable(received, 'why' in read ? read.why : undefined)
}

/** What may come with an HTTP status of failure. */
const ENDS: ReadonlySet<string> = new Set(['error', 'failed', 'expired'])

/** `invalid_response`; without a reason the body is no JSON. */
export function unusable({ url, status, headers }: Received, reason: string | undefined): ConverseError {
  const type = headers['content-type']?.split(';')[0]?.slice(0, 60) ?? 'unknown type'
  const shown = shownUrl(url)
  const message = `Not a usable AHP response (${reason ?? `no JSON, but ${type}`}): ${shown}`
  return new ConverseError('invalid_response', message, { url: shown, status })
}

function readMessage(data: unknown): ParsedResponse | { readonly why: string | undefined } {
  if (data === undefined) return { why: undefined }
  try {
    return parseResponse(data)
  } catch (error) {
    if (isAhpMessageError(error)) return { why: error.message }
    throw error
  }
}

function rateLimitOf(headers: Received['headers']): RateLimitState | undefined {
  const [limit, remaining, resetUnixSeconds, windowSeconds] = RATE_LIMIT_FIELDS.map((name) =>
    numberIn(headers[name]),
  )
  if (
    limit === undefined ||
    remaining === undefined ||
    resetUnixSeconds === undefined ||
    windowSeconds === undefined
  )
    return undefined
  return { limit, remaining, resetUnixSeconds, windowSeconds }
}

const RATE_LIMIT_FIELDS = [
  'x-ratelimit-limit',
  'x-ratelimit-remaining',
  'x-ratelimit-reset',
  'x-ratelimit-window',
] as const

function numberIn(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : undefined
}
