import type { ProbeResponse, RequestPort } from '@doorplate/conformance-kit'
import type { RunSettings } from './options.js'

/**
 * The port over any `fetch`. Redirects are followed here, because a plain fetch would take the headers of the caller
 * along to another origin, and bodies are bounded here.
 */
export function plainFetchPort(
  fetch: typeof globalThis.fetch,
  headersFor: (url: string) => Readonly<Record<string, string>>,
  { timeoutMs, maxRedirects }: RunSettings,
): RequestPort {
  return async ({
    url,
    method = 'GET',
    headers = {},
    body,
    redirect = 'follow',
    signal,
    maxResponseBytes,
  }) => {
    const init = {
      method,
      redirect: 'manual',
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
      ...(body !== undefined && { body }),
    } as const
    let target = url
    for (let hop = 0; ; hop++) {
      const ownHeaders = hop === 0 || new URL(target).origin === new URL(url).origin ? headers : {}
      const response = await fetch(target, { ...init, headers: { ...headersFor(target), ...ownHeaders } })
      const location = response.headers.get('location')
      const isRedirect = REDIRECTS.has(response.status) && location !== null
      if (redirect === 'manual' || !isRedirect)
        return await toProbeResponse(response, target, hop > 0, maxResponseBytes)
      if (hop >= maxRedirects) throw failure('too_many_redirects', `More than ${maxRedirects} redirects.`)
      await response.body?.cancel()
      target = new URL(location, target).href
    }
  }
}

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])

async function toProbeResponse(
  response: Response,
  url: string,
  redirected: boolean,
  maxResponseBytes: number,
): Promise<ProbeResponse> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    bytes += chunk.byteLength
    if (bytes > maxResponseBytes)
      throw failure('response_too_large', `The body is longer than ${maxResponseBytes} bytes.`)
    chunks.push(chunk)
  }
  const headers = Object.fromEntries(response.headers)
  return {
    url,
    redirected,
    status: response.status,
    headers,
    isDecoded: Object.hasOwn(headers, 'content-encoding'),
    body: Buffer.concat(chunks),
  }
}

function failure(code: string, message: string): Error {
  return Object.assign(new Error(message), { code })
}
