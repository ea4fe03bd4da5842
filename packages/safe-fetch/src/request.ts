import { displayUrl } from './check-url.js'
import { collectBody } from './collect-body.js'
import { createHeaderList } from './header-list.js'
import type { RawHeaders } from './hop.js'
import { Lifetime } from './lifetime.js'
import { describesWire, limitBody } from './limit-body.js'
import type { Policy } from './options.js'
import { planCall } from './plan-call.js'
import { bytesBody } from './request-body.js'
import { runAttempts } from './run-attempts.js'
import type { CallPlan, OpenResponse } from './run-attempts.js'
import type { Transport } from './transport.js'
import {
  choiceOption,
  entriesOption,
  integerOption,
  invalidOption,
  ownMembers,
  MAX_TIMER_MS,
  signalOption,
} from './validate-option.js'

export interface SafeRequestInit {
  /** Default `GET`. */
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  /** Text is sent as UTF-8. Not for GET and HEAD. */
  readonly body?: Uint8Array | string
  /** An abort rejects with the signal's own reason. */
  readonly signal?: AbortSignal | undefined
  /** Default `follow`. `manual` returns a redirect as it is, `error` refuses it. */
  readonly redirect?: 'follow' | 'error' | 'manual'
  /** These three replace the value from the options of the fetch, for this call. */
  readonly timeoutMs?: number
  readonly maxResponseBytes?: number
  readonly maxRedirects?: number
}

export interface SafeResponse {
  /** The URL of the last hop, without fragment. */
  readonly url: string
  readonly redirected: boolean
  readonly status: number
  /**
   * Lower-case names, repeated fields joined by `, `, no prototype. After decoding without `content-encoding` and
   * `content-length`, which describe the wire.
   */
  readonly headers: Readonly<Record<string, string>>
  /** True if a content coding was undone, so that the bytes on the wire were others. */
  readonly isDecoded: boolean
  /** The decoded bytes. */
  readonly body: Uint8Array
}

const MEMBERS: ReadonlySet<string> = new Set<keyof SafeRequestInit>([
  'method',
  'headers',
  'body',
  'signal',
  'redirect',
  'timeoutMs',
  'maxResponseBytes',
  'maxRedirects',
])

/** One call, its body read to the end. Any status resolves; a `SafeFetchError` or the signal's reason rejects. */
export async function request(
  input: string | URL,
  given: SafeRequestInit,
  policy: Policy,
  transport: Transport,
): Promise<SafeResponse> {
  const init = ownMembers('SafeRequestInit', given, MEMBERS)
  const timeoutMs = integerOption('timeoutMs', init.timeoutMs, policy.timeoutMs, 1, MAX_TIMER_MS)
  const limitBytes = integerOption('maxResponseBytes', init.maxResponseBytes, policy.maxResponseBytes, 0)
  const plan = planRequest(input, init, policy)
  const lifetime = new Lifetime(timeoutMs, signalOption(init.signal))
  try {
    const opened = transport.open()
    const dispatcher = opened instanceof Promise ? await opened : opened
    return await runAttempts(plan, { dispatcher, policy, lifetime }, (response) =>
      readResponse(response, plan.request.method, limitBytes, lifetime),
    )
  } finally {
    lifetime.end()
  }
}

async function readResponse(
  { hop, url, redirected }: OpenResponse,
  method: string,
  limitBytes: number,
  lifetime: Lifetime,
): Promise<SafeResponse> {
  const limited = limitBody(hop, method, limitBytes, lifetime)
  const body = await collectBody(limited.body)
  const headers = joinHeaders(hop.headers, limited.isDecoded)
  const { isDecoded } = limited
  return { url: displayUrl(url), redirected, status: hop.status, headers, isDecoded, body }
}

function planRequest(input: string | URL, init: SafeRequestInit, policy: Policy): CallPlan {
  const { body, headers, method = 'GET' } = init
  return planCall(input, policy, {
    method,
    headers: createHeaderList('headers', entriesOption('headers', headers)),
    body: body === undefined ? null : bytesBody(toBytes(body)),
    redirect: choiceOption('redirect', init.redirect, ['follow', 'error', 'manual']),
    maxRedirects: integerOption('maxRedirects', init.maxRedirects, policy.maxRedirects, 0),
  })
}

function toBytes(body: unknown): Uint8Array {
  if (typeof body === 'string') return Buffer.from(body)
  if (!(body instanceof Uint8Array)) throw invalidOption('body', 'a text or a Uint8Array')
  return body
}

function joinHeaders(raw: RawHeaders, isDecoded: boolean): Readonly<Record<string, string>> {
  const headers = Object.create(null) as Record<string, string>
  for (const name of Object.keys(raw)) {
    const value = raw[name]
    if (value === undefined || (isDecoded && describesWire(name))) continue
    headers[name] = typeof value === 'string' ? value : value.join(', ')
  }
  return headers
}
