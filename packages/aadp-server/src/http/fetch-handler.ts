import type { CoreResponse } from '../documents/published-document.js'
import type { Responder } from './respond.js'

/** The core behind the Fetch API. */
export function createFetchHandler(respond: Responder): (request: Request) => Promise<Response> {
  /** A `Headers` object is copied faster than a record is read. */
  const knownHeaders = new WeakMap<CoreResponse['headers'], Headers>()

  function toResponse({ status, headers, body }: CoreResponse): Response {
    const known = knownHeaders.get(headers) ?? new Headers(headers)
    knownHeaders.set(headers, known)
    return new Response(body, { status, headers: known })
  }

  return async function handleRequest(request) {
    const { method, url, headers, signal } = request
    return toResponse(await respond({ method, url, headers, signal, request }))
  }
}
