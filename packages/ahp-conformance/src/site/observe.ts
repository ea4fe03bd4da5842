import { REGISTERED_TYPES } from '@doorplate/ahp-manifest'
import { ERROR_STATUS, validateResponse, type ErrorCode } from '@doorplate/ahp-manifest/messages'
import type { Finding } from '@doorplate/conformance-kit'
import { isObject, ownMember, ownText } from '../own-member.js'
import { rule } from '../requirements.js'
import { manifestLinks } from './manifest-links.js'
import { described, type Endpoint, type Reading } from './reading.js'

/** The sides from which every response is looked at while it is at hand. Each is the business of one check. */
export type Aspect = 'link' | 'limits' | 'errors' | 'schema' | 'media' | 'challenge' | 'retry' | 'echo'

/** One response that was seen, reduced to what is wrong with it. */
export interface Observation {
  readonly endpoint: Endpoint
  readonly status: number
  readonly findings: Readonly<Record<Aspect, readonly Finding[]>>
}

/** Looks at a response from every side; undefined when there was none. */
export function observe(reading: Reading, origin: string): Observation | undefined {
  const { endpoint, status } = reading
  // Pages, content and sources may be those of somebody else; endpoints are the site's wherever they are.
  const isOwn = (endpoint !== 'page' && endpoint !== 'content') || new URL(reading.url).origin === origin
  if (status === undefined) return undefined
  return {
    endpoint,
    status,
    findings: {
      link: isOwn ? linkFindings(reading) : [],
      limits: isOwn && LIMITED.has(endpoint) ? limitFindings(reading) : [],
      errors: status >= 400 && ERRING.has(endpoint) ? errorFindings(reading, status) : [],
      schema: MESSAGES.has(endpoint) ? schemaFindings(reading, status) : [],
      media: MESSAGES.has(endpoint) ? mediaFindings(reading) : [],
      challenge: status === 401 ? challengeFindings(reading) : [],
      retry: status === 429 ? retryFindings(reading) : [],
      echo: MESSAGES.has(endpoint) ? echoFindings(reading) : [],
    },
  }
}

/** Endpoints of the protocol; pages are not. */
const LIMITED: ReadonlySet<Endpoint> = new Set([
  'manifest',
  'content',
  'converse',
  'status',
  'mcp',
  'openapi',
  'capability',
])
/** Where messages of the protocol come from. */
export const MESSAGES: ReadonlySet<Endpoint> = new Set(['converse', 'status', 'capability'])
const ERRING: ReadonlySet<Endpoint> = new Set(['manifest', 'converse', 'status', 'capability'])

function linkFindings({ url, headers, status }: Reading): readonly Finding[] {
  const links = manifestLinks(headers['link'] ?? '')
  if (links.length > 0)
    return links.some((link) => link.isRight) ? [] : [linkFinding('R-006', url, LINK_FORM)]
  return [
    linkFinding(
      'R-005',
      url,
      `The response with status ${String(status)} has no Link field that leads to the manifest.`,
    ),
  ]
}

const LINK_FORM = 'The Link field lacks rel="ahp-manifest" or type="application/agent+json".'

function linkFinding(number: string, url: string, message: string): Finding {
  return { requirement: rule(number), url, message }
}

const LIMIT_FIELDS = ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset', 'x-ratelimit-window']

function limitFindings({ url, headers, status, endpoint, request }: Reading): readonly Finding[] {
  const wrong = LIMIT_FIELDS.filter((name) => !/^\d{1,15}$/.test(headers[name] ?? ''))
  const said = wrong.length > 0 ? `absent or no whole number: ${wrong.join(', ')}` : nonsenseIn(headers)
  if (said === undefined) return []
  const message = `${request.method ?? 'GET'} with status ${String(status)}: ${said}.`
  // Content is often served by a file server, which the draft does not exempt.
  return [{ requirement: rule('R-095'), url, message, advisory: endpoint === 'content' }]
}

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

function errorFindings(reading: Reading, status: number): readonly Finding[] {
  const { json, url } = reading
  const code = ownText(json, 'code')
  const finding = (message: string): readonly Finding[] => [{ requirement: rule('R-083'), url, message }]
  if (!isSentAsJson(reading))
    return finding(`Status ${status} with Content-Type ${reading.headers['content-type'] ?? 'absent'}.`)
  if (!isObject(json) || ownMember(json, 'status') !== 'error' || code === undefined)
    return finding(`${described(reading)} An error is JSON with status "error" and a code.`)
  if (!Object.hasOwn(ERROR_STATUS, code)) return finding(`The code ${code} is not one of the protocol.`)
  const expected = ERROR_STATUS[code as ErrorCode]
  const isRight = status === expected || (code === 'invalid_request' && HTTP_ONLY.has(status))
  return isRight ? [] : finding(`Status ${status} with ${code}, expected ${expected}.`)
}

function isSentAsJson({ json, headers }: Reading): boolean {
  return json === undefined || /^application\/([\w.-]+\+)?json\s*(;|$)/i.test(headers['content-type'] ?? '')
}

/** What HTTP says of a path, method or type, and the protocol has no code for. */
const HTTP_ONLY: ReadonlySet<number> = new Set([404, 405, 406, 415])

function schemaFindings(reading: Reading, status: number): readonly Finding[] {
  const { json, url, request } = reading
  const isMessage = status < 300 && request.method !== 'OPTIONS' && request.method !== 'HEAD'
  if (json === undefined)
    return isMessage
      ? [{ requirement: rule('R-082'), url, message: `Status ${status} with a body that is not JSON.` }]
      : []
  if (isMessage && !isSentAsJson(reading)) {
    const message = `An answer is sent as ${reading.headers['content-type'] ?? 'no type'}.`
    return [{ requirement: rule('RES-001'), url, message, advisory: true }]
  }
  if (!isMessage && ownMember(json, 'status') !== 'error') return []
  const issues = validateResponse(json).issues.filter(({ path }) => isMessage || path !== '/code')
  return [
    ...issues.map(({ rule: requirement, path, message }) => ({ requirement, url, pointer: path, message })),
    ...typeFindings(reading),
  ]
}

/** Types of one's own begin with `x-`; what is no type at all is the business of the schema. */
function typeFindings({ json, url }: Reading): readonly Finding[] {
  const type = ownText(json, 'response', 'content_type')?.toLowerCase() ?? 'text/answer'
  if (type.startsWith('x-') || REGISTERED_TYPES.some((known) => known === type)) return []
  const message = `The type ${type} is not a registered one, and does not begin with x-.`
  return [{ requirement: rule('R-121'), url, pointer: '/response/content_type', message }]
}

function mediaFindings({ json, url }: Reading): readonly Finding[] {
  const inline = bytesIn(ownMember(json, 'response'), '/response')
  if (inline === undefined) return []
  return [
    {
      requirement: rule('R-064'),
      url,
      pointer: inline,
      message: 'Media are embedded; they are given by URL.',
    },
  ]
}

/** Where a data URL is, or Base64 of a kilobyte and more. */
function bytesIn(value: unknown, at: string): string | undefined {
  if (typeof value === 'string') return isBytes(value) ? at : undefined
  if (typeof value !== 'object' || value === null) return undefined
  for (const [name, member] of Object.entries(value)) {
    const found = bytesIn(member, `${at}/${name}`)
    if (found !== undefined) return found
  }
  return undefined
}

/** Words about data URLs are none: such a URL is a text of its own, or an image of Markdown. */
function isBytes(text: string): boolean {
  return (
    /(^|!\[[^\]]{0,200}\]\()data:[\w.+-]+\/[\w.+-]+[;,]/i.test(text) ||
    (text.length >= 1_024 && /^[\w+/-]+={0,2}$/.test(text))
  )
}

function challengeFindings({ headers, url }: Reading): readonly Finding[] {
  if (headers['www-authenticate'] !== undefined) return []
  return [{ requirement: rule('AUTH-002'), url, message: 'Status 401 without WWW-Authenticate.' }]
}

function retryFindings({ headers, url }: Reading): readonly Finding[] {
  if (/^\d+$/.test(headers['retry-after'] ?? '') || !Number.isNaN(Date.parse(headers['retry-after'] ?? '')))
    return []
  return [{ requirement: rule('R-096'), url, message: 'Status 429 without Retry-After.' }]
}

function echoFindings({ json, url }: Reading): readonly Finding[] {
  if (ownMember(json, 'status') !== 'success') return []
  const type = ownText(json, 'response', 'content_type') ?? 'text/answer'
  const echoed = ownMember(json, 'meta', 'content_type')
  if (echoed === type) return []
  const message = `meta.content_type is ${String(echoed)}, and the answer ${type}.`
  return [{ requirement: rule('R-066'), url, pointer: '/meta/content_type', message }]
}
