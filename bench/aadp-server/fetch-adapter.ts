import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'

/** A plain adapter from node:http to a Fetch handler, the same for every contender. */
export function createRequestListener(
  handle: (request: Request) => Response | Promise<Response>,
): RequestListener {
  return (request, response) => {
    void answer(handle, request, response)
  }
}

async function answer(
  handle: (request: Request) => Response | Promise<Response>,
  message: IncomingMessage,
  target: ServerResponse,
): Promise<void> {
  const request = new Request(`https://shop.example${message.url ?? '/'}`, {
    method: message.method ?? 'GET',
    headers: message.headers as Record<string, string>,
  })
  const response = await handle(request)
  const body = response.body === null ? undefined : Buffer.from(await response.arrayBuffer())
  target.writeHead(response.status, {
    ...Object.fromEntries(response.headers),
    ...(body !== undefined && { 'content-length': body.length }),
  })
  target.end(body)
}
