import { counted, type ProbeResponse } from '@doorplate/conformance-kit'
import { failure, type Hop } from './follow-redirects.js'

/** One request over any `fetch`, its body bounded here. */
export function plainFetchHop(fetch: typeof globalThis.fetch): Hop {
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
      throw failure('response_too_large', `The body is longer than ${counted(maxResponseBytes, 'byte')}.`)
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
