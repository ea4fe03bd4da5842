import { displayUrl } from './guard/check-url.js'
import { collectBody } from './body/collect-body.js'
import type { RawHeaders } from './header-list.js'
import { Lifetime } from './lifetime/lifetime.js'
import { describesWire, limitBody } from './exchange/limit-body.js'
import type { Policy } from './options/options.js'
import { planCall } from './exchange/plan-call.js'
import type { ReadInit, RequestTerms, SafeRequestInit } from './request-init.js'
import { runAttempts } from './exchange/run-attempts.js'
import type { OpenResponse } from './exchange/run-attempts.js'
import type { Transport } from './guard/transport.js'

/** A response that was read to its end. */
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

/** One call, its body read to the end. Any status resolves; a `SafeFetchError` or the signal's reason rejects. */
export async function request(
  input: string | URL,
  init: SafeRequestInit,
  policy: Policy,
  transport: Transport,
  readInit: ReadInit,
): Promise<SafeResponse> {
  const terms = readInit(init)
  const plan = planCall(input, policy, terms)
  const lifetime = new Lifetime(terms.timeoutMs, terms.signal)
  try {
    const opened = transport.open(lifetime)
    const dispatcher = opened instanceof Promise ? await opened : opened
    return await runAttempts(plan, { dispatcher, policy, lifetime }, (response) =>
      readResponse(response, plan.request.method, terms, lifetime),
    )
  } finally {
    lifetime.end()
  }
}

function readResponse(
  { hop, url, redirected }: OpenResponse,
  method: string,
  { limitBytes, onBytes }: RequestTerms,
  lifetime: Lifetime,
): Promise<SafeResponse> {
  const { body, isDecoded } = limitBody(hop, method, limitBytes, lifetime)
  const finish = (bytes: Uint8Array): SafeResponse => ({
    url: displayUrl(url),
    redirected,
    status: hop.status,
    headers: joinHeaders(hop.headers, isDecoded),
    isDecoded,
    body: bytes,
  })
  return collectBody(body, finish, onBytes)
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
