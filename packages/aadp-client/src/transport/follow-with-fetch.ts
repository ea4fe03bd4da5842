import { AadpTransportError, isAadpClientError } from '../errors.js'
import type { FetchLike, TransportRequest, TransportResponse } from './transport.js'

/** The transport over any `fetch`: redirects, time and size are watched here, so that every `fetch` keeps the same rules. */
export async function followWithFetch(
  fetch: FetchLike,
  url: string,
  request: TransportRequest,
): Promise<TransportResponse> {
  const timeout = AbortSignal.timeout(request.timeoutMs)
  const signal = request.signal ? AbortSignal.any([request.signal, timeout]) : timeout
  try {
    return await follow(fetch, url, request, signal)
  } catch (error) {
    request.signal?.throwIfAborted()
    if (isAadpClientError(error)) throw error
    throw new AadpTransportError(timeout.aborted ? 'timeout' : 'network_error', url, { cause: error })
  }
}

async function follow(
  fetch: FetchLike,
  start: string,
  { publicHeaders, scopedHeaders, maxRedirects, maxResponseBytes, onBytes }: TransportRequest,
  signal: AbortSignal,
): Promise<TransportResponse> {
  let url = start
  let headers = { ...publicHeaders, ...scopedHeaders }
  for (let redirects = 0; ; redirects++) {
    const response = await fetch(url, { headers, redirect: 'manual', signal })
    const location = REDIRECTS.has(response.status) ? response.headers.get('location') : null
    if (location === null && response.type !== 'opaqueredirect') {
      return {
        url,
        status: response.status,
        headers: Object.fromEntries(response.headers),
        body: await readBody(response, url, { maxResponseBytes, onBytes }),
      }
    }
    await response.body?.cancel()
    if (location === null || redirects >= maxRedirects)
      throw new AadpTransportError('too_many_redirects', start)
    const next = redirectTarget(location, url, start)
    // Once away from the origin, always without what was meant for it: another site chose where to go on.
    if (next.origin !== new URL(url).origin) headers = { ...publicHeaders }
    url = next.href
  }
}

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])

function redirectTarget(location: string, base: string, start: string): URL {
  const target = URL.canParse(location, base) ? new URL(location, base) : undefined
  if (!target || !/^https?:$/.test(target.protocol) || target.username || target.password) {
    throw new AadpTransportError('blocked_url', start)
  }
  return target
}

async function readBody(
  response: Response,
  url: string,
  { maxResponseBytes, onBytes }: Pick<TransportRequest, 'maxResponseBytes' | 'onBytes'>,
): Promise<Uint8Array> {
  if (!response.body) return new Uint8Array()
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
    size += chunk.byteLength
    onBytes(chunk.byteLength)
    if (size > maxResponseBytes) throw new AadpTransportError('response_too_large', url)
    chunks.push(chunk)
  }
  const body = new Uint8Array(size)
  let offset = 0
  for (const chunk of chunks) {
    body.set(chunk, offset)
    offset += chunk.byteLength
  }
  return body
}
