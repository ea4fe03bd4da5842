import { counted } from '../counted.js'
import type { ProbeResponse } from '../request-port.js'

/** One request, without redirects. */
export interface HopRequest {
  readonly url: string
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
  readonly signal: AbortSignal
  readonly timeoutMs: number
  readonly maxResponseBytes: number
}

/** Sends one request within its time and gives a redirect back as it is. */
export type Hop = (request: HopRequest) => Promise<ProbeResponse>

/** The lean core of a guarded fetch: it bounds time and bytes itself. */
export interface GuardedFetch {
  request(
    url: string,
    init: Omit<HopRequest, 'url' | 'body'> & { readonly redirect: 'manual'; readonly body?: string },
  ): Promise<ProbeResponse>
}

/** One request over the lean core of a guarded fetch where there is one, otherwise over the fetch itself. */
export function hopOver(fetch: GuardedFetch | typeof globalThis.fetch): Hop {
  return isGuarded(fetch) ? guardedHop(fetch) : plainHop(fetch)
}

function isGuarded(fetch: GuardedFetch | typeof globalThis.fetch): fetch is GuardedFetch {
  return Object.hasOwn(fetch, 'request')
}

type GuardedInit = Parameters<GuardedFetch['request']>[1]

/** Most requests of a run are alike but for their URL: one frozen init serves them all, and a guarded fetch reads it once. */
function guardedHop(fetch: GuardedFetch): Hop {
  let last: { readonly request: HopRequest; readonly init: GuardedInit } | undefined
  return (request) => {
    if (last === undefined || !isAlike(last.request, request)) last = { request, init: guardedInit(request) }
    return fetch.request(request.url, last.init)
  }
}

function guardedInit({ url: _, body, ...init }: HopRequest): GuardedInit {
  return Object.freeze({ ...init, redirect: 'manual', ...(body !== undefined && { body }) })
}

function isAlike(one: HopRequest, other: HopRequest): boolean {
  return TERMS.every((name) => one[name] === other[name])
}

/** All of a request but its URL. */
const TERMS = ['method', 'headers', 'body', 'signal', 'timeoutMs', 'maxResponseBytes'] as const

function plainHop(fetch: typeof globalThis.fetch): Hop {
  return async ({ url, method, headers, body, signal, timeoutMs, maxResponseBytes }) => {
    const response = await fetch(url, {
      method,
      headers,
      redirect: 'manual',
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
      ...(body !== undefined && { body }),
    })
    return await toProbeResponse(response, url, maxResponseBytes)
  }
}

async function toProbeResponse(
  response: Response,
  url: string,
  maxResponseBytes: number,
): Promise<ProbeResponse> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    bytes += chunk.byteLength
    if (bytes > maxResponseBytes) {
      throw transportFailure(
        'response_too_large',
        `The body is longer than ${counted(maxResponseBytes, 'byte')}.`,
      )
    }
    chunks.push(chunk)
  }
  const headers = Object.fromEntries(response.headers)
  return {
    url,
    redirected: false,
    status: response.status,
    headers,
    isDecoded: Object.hasOwn(headers, 'content-encoding'),
    body: Buffer.concat(chunks),
  }
}

/** An error as transports have them: with a code. */
export function transportFailure(code: string, message: string): Error {
  return Object.assign(new Error(message), { code })
}
