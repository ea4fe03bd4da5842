import { noResponse, type Exchange, type ProbeRequest } from '@doorplate/conformance-kit'
import { ownText } from '../own-member.js'

/** What of the site was asked. */
export type Endpoint =
  'manifest' | 'content' | 'page' | 'converse' | 'status' | 'mcp' | 'openapi' | 'capability'

/** One request with what came back, read as far as it can be. */
export interface Reading {
  readonly endpoint: Endpoint
  readonly request: ProbeRequest
  /** The final URL. */
  readonly url: string
  /** Undefined when there was no whole response; then `failure` says why. */
  readonly status: number | undefined
  readonly failure: string | undefined
  /** How to come to a response, where there was none. */
  readonly hint: string | undefined
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
  /** Undefined where the body is not JSON. */
  readonly json: unknown
}

export function toReading(endpoint: Endpoint, exchange: Exchange): Reading {
  const { request } = exchange
  if (!exchange.ok) {
    const { message: failure, hint } = noResponse(exchange.failure)
    return {
      endpoint,
      request,
      url: request.url,
      status: undefined,
      failure,
      hint,
      headers: {},
      text: '',
      json: undefined,
    }
  }
  const { url, status, headers, body } = exchange.response
  const text = new TextDecoder().decode(body)
  return {
    endpoint,
    request,
    url,
    status,
    failure: undefined,
    hint: undefined,
    headers,
    text,
    json: parsed(text),
  }
}

/** No document of the protocol is deeper, and whoever walks through one deeper may run out of stack. */
const MAX_DEPTH = 200

function parsed(text: string): unknown {
  if (isTooDeep(text)) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Brackets in texts count as well: no text of the protocol holds that many. */
function isTooDeep(text: string): boolean {
  let depth = 0
  for (const bracket of text.matchAll(/[[\]{}]/g)) {
    depth += bracket[0] === '[' || bracket[0] === '{' ? 1 : -1
    if (depth > MAX_DEPTH) return true
  }
  return false
}

/** Whether what is JSON says so; what is none says nothing wrong. */
export function isSentAsJson({ json, headers }: Reading): boolean {
  return json === undefined || /^application\/([\w.-]+\+)?json\s*(;|$)/i.test(headers['content-type'] ?? '')
}

/** What a reading was, in a few words, for messages. */
export function described({ status, failure, json, text }: Reading): string {
  if (status === undefined) return failure ?? 'No response.'
  if (json === undefined)
    return `Status ${status} with ${text === '' ? 'no body' : 'a body that is not JSON'}.`
  const [kind, code] = [ownText(json, 'status'), ownText(json, 'code')]
  const said = [kind, code].filter((word) => word !== undefined).join(', ')
  return said === '' ? `Status ${status}.` : `Status ${status} (${said}).`
}
