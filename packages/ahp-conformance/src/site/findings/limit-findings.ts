import type { Finding } from '@doorplate/conformance-kit'
import { rule } from '../../requirements.js'
import type { Reading } from '../reading.js'

/** What is wrong with the fields that tell the state of the limits. */
export function limitFindings({ url, headers, status, endpoint, request }: Reading): readonly Finding[] {
  const wrong = LIMIT_FIELDS.filter((name) => !/^\d{1,15}$/.test(headers[name] ?? ''))
  const said = wrong.length > 0 ? `absent or no whole number: ${wrong.join(', ')}` : nonsenseIn(headers)
  if (said === undefined) return []
  const message = `${request.method ?? 'GET'} with status ${String(status)}: ${said}.`
  // Content is often served by a file server, which the draft does not exempt.
  return [{ requirement: rule('R-095'), url, message, advisory: endpoint === 'content' }]
}

const LIMIT_FIELDS = ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset', 'x-ratelimit-window']

/** What whole numbers cannot say: more left than there is, or a time that is no Unix time in seconds. */
function nonsenseIn(headers: Reading['headers']): string | undefined {
  const [limit = 0, remaining = 0, reset = 0] = LIMIT_FIELDS.map((name) => Number(headers[name]))
  if (remaining > limit) return `x-ratelimit-remaining ${remaining} exceeds the limit ${limit}`
  const isUnixTime = reset >= EARLIEST_SECONDS && reset < LATEST_SECONDS
  if (!isUnixTime) return `x-ratelimit-reset ${reset} is no Unix time in seconds`
  const sentSeconds = Date.parse(headers['date'] ?? '') / 1_000
  return reset < sentSeconds - CLOCK_SECONDS
    ? `x-ratelimit-reset ${reset} was over when it was sent`
    : undefined
}

/** How far the clocks of one site may be apart. */
const CLOCK_SECONDS = 60

/** 2001 and 5138: whoever counts from now, or in milliseconds, is outside. */
const EARLIEST_SECONDS = 1e9
const LATEST_SECONDS = 1e11

/** What is wrong with a refusal because of a limit. */
export function retryFindings({ headers, url }: Reading): readonly Finding[] {
  if (/^\d+$/.test(headers['retry-after'] ?? '') || !Number.isNaN(Date.parse(headers['retry-after'] ?? '')))
    return []
  return [{ requirement: rule('R-096'), url, message: 'Status 429 without Retry-After.' }]
}
