import { displayUrl, parseUrl } from './guard/check-url.js'
import { SafeFetchError } from './errors.js'
import { extractBody } from './body/extract-body.js'
import { createHeaderList, hasField } from './header-list.js'
import type { Hop } from './exchange/hop.js'
import { Lifetime } from './lifetime/lifetime.js'
import { describesWire, hasBody, limitBody } from './exchange/limit-body.js'
import type { LimitedBody } from './exchange/limit-body.js'
import type { Policy } from './options/options.js'
import { planCall } from './exchange/plan-call.js'
import { runAttempts } from './exchange/run-attempts.js'
import type { CallPlan, OpenResponse } from './exchange/run-attempts.js'
import { streamBody } from './body/stream-body.js'
import type { Transport } from './guard/transport.js'
import { choiceOption, invalidOption, signalOption } from './options/validate-option.js'

type FetchInput = Parameters<typeof globalThis.fetch>[0]

/** Members of an init that would take the connection out of our hands, or promise a check that is not made here. */
const REFUSED_MEMBERS = ['agent', 'dispatcher', 'integrity', 'lookup', 'proxy', 'socketPath'] as const

/** `fetch` as the standard has it, on the guarded core. */
export async function fetchResponse(
  input: FetchInput,
  init: RequestInit,
  policy: Policy,
  transport: Transport,
): Promise<Response> {
  const source = isRequest(input) ? input : undefined
  refuseMembers(init, source)
  const signal = signalOption(init.signal === undefined ? source?.signal : init.signal)
  const lifetime = new Lifetime(policy.timeoutMs, signal)
  try {
    const plan = await lifetime.race(planFetch(input, init, source, policy))
    const dispatcher = await transport.open(lifetime)
    const opened = await runAttempts(plan, { dispatcher, policy, lifetime }, (response) => response)
    const limited = limitBody(opened.hop, plan.request.method, policy.maxResponseBytes, lifetime)
    return createResponse(opened, limited, hasBody(opened.hop, plan.request.method), lifetime)
  } catch (error) {
    lifetime.end(error)
    throw error
  }
}

function refuseMembers(init: RequestInit, source: Request | undefined): void {
  for (const member of REFUSED_MEMBERS) {
    const value =
      (init as Record<string, unknown>)[member] ?? (source as Record<string, unknown> | undefined)?.[member]
    if (value == null || value === '') continue
    throw new SafeFetchError('invalid_option', `The guarded fetch takes no ${member}.`, { option: member })
  }
}

/** What the caller may change after the call is read before anything is waited for. */
async function planFetch(
  input: FetchInput,
  init: RequestInit,
  source: Request | undefined,
  policy: Policy,
): Promise<CallPlan> {
  const url = parseUrl(source?.url ?? (input as string | URL), policy.baseUrl)
  const given = createHeaderList('headers', parseHeaders(init.headers ?? source?.headers))
  const method = init.method ?? source?.method ?? 'GET'
  const redirect = choiceOption('redirect', init.redirect ?? source?.redirect, ['follow', 'error', 'manual'])
  const { body, contentType } = await extractBody(init.body ?? undefined, source)
  return planCall(url, policy, {
    method,
    headers:
      contentType === null || hasField(given, 'content-type')
        ? given
        : [...given, ['content-type', contentType]],
    body,
    redirect,
    maxRedirects: policy.maxRedirects,
  })
}

/** The platform's own error repeats the value, which may be a secret. */
function parseHeaders(headers: RequestInit['headers']): Headers {
  try {
    return new Headers(headers)
  } catch {
    throw invalidOption('headers', 'header fields that Fetch permits')
  }
}

/** Also true for the Request of another copy of undici. */
function isRequest(input: unknown): input is Request {
  return (
    typeof input === 'object' && input !== null && 'url' in input && 'method' in input && 'headers' in input
  )
}

/** A Response of the platform, so that every library knows it; what its constructor cannot set is set on the object. */
function createResponse(
  opened: OpenResponse,
  limited: LimitedBody,
  withBody: boolean,
  lifetime: Lifetime,
): Response {
  const { hop, url, redirected } = opened
  const init = {
    status: hop.status,
    statusText: plainStatusText(hop),
    headers: responseHeaders(hop, limited.isDecoded),
  }
  if (withBody) {
    // A connection that is read keeps the process alive, one held back because nobody reads the body does not.
    lifetime.unref()
    const stream = streamBody(limited.body, () => {
      lifetime.end()
    })
    return describe(new Response(stream, init), displayUrl(url), redirected)
  }
  hop.discard()
  lifetime.end()
  return describe(new Response(null, init), displayUrl(url), redirected)
}

function describe(response: Response, url: string, redirected: boolean): Response {
  return Object.defineProperties(response, {
    url: { value: url },
    redirected: { value: redirected },
    type: { value: 'basic' },
    clone: { value: () => describe(Response.prototype.clone.call(response), url, redirected) },
  })
}

function responseHeaders(hop: Hop, isDecoded: boolean): Headers {
  const headers = new Headers()
  for (const name of Object.keys(hop.headers)) {
    const value = hop.headers[name]
    if (value === undefined || (isDecoded && describesWire(name))) continue
    if (typeof value === 'string') headers.append(name, value)
    else for (const one of value) headers.append(name, one)
  }
  return headers
}

/** Servers may write anything here; `Response` takes printable ASCII. */
function plainStatusText(hop: Hop): string {
  return /^[\t\x20-\x7e]*$/.test(hop.statusText) ? hop.statusText : ''
}
