import { AadpTransportError, isAadpClientError } from '../errors.js'
import { settleInTime } from '../waiting/settle-in-time.js'
import type { FetchLike, TransportRequest, TransportResponse } from './transport.js'

/**
 * The transport over any `fetch`: redirects, time and size are watched here, so that every `fetch` keeps the same rules, also one
 * that is deaf to its signal.
 */
export async function followWithFetch(
  fetch: FetchLike,
  url: string,
  request: TransportRequest,
): Promise<TransportResponse> {
  const { signal, timeoutMs } = request
  const late = (): Error => new AadpTransportError('timeout', url)
  const stop = new AbortController()
  try {
    return await settleInTime(follow(fetch, url, request, stop.signal), { signal, timeoutMs, late })
  } catch (error) {
    stop.abort(error)
    signal?.throwIfAborted()
    throw isAadpClientError(error) ? error : new AadpTransportError('network_error', url, { cause: error })
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
    signal.throwIfAborted()
    const response = await fetch(url, { headers, redirect: 'manual', signal })
    const location = REDIRECTS.has(response.status) ? response.headers.get('location') : null
    if (location === null && response.type !== 'opaqueredirect') {
      return {
        url,
        status: response.status,
        headers: Object.fromEntries(response.headers),
        body: await readBody(response, url, { maxResponseBytes, onBytes, signal }),
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
  const isDowngrade = target?.protocol === 'http:' && base.startsWith('https:')
  if (!target || !/^https?:$/.test(target.protocol) || target.username || target.password || isDowngrade) {
    throw new AadpTransportError('blocked_url', start)
  }
  return target
}

async function readBody(
  response: Response,
  url: string,
  {
    maxResponseBytes,
    onBytes,
    signal,
  }: Pick<TransportRequest, 'maxResponseBytes' | 'onBytes'> & { readonly signal: AbortSignal },
): Promise<Uint8Array> {
  if (!response.body) return new Uint8Array()
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
    signal.throwIfAborted()
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
