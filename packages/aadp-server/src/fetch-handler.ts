import type { CoreResponse } from './published-document.js'
import type { Responder } from './respond.js'

/** The core behind the Fetch API. */
export function createFetchHandler(respond: Responder): (request: Request) => Promise<Response> {
  return async function handleRequest(request) {
    const { method, url, headers, signal } = request
    return toResponse(await respond({ method, url, headers, signal, request }))
  }
}

function toResponse({ status, headers, body }: CoreResponse): Response {
  return new Response(body, { status, headers })
}
