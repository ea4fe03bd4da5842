import type { IncomingMessage, ServerResponse } from 'node:http'
import compression from 'compression'
import onHeaders from 'on-headers'

type Listener = (request: IncomingMessage, response: ServerResponse) => void

/** Shorter ones take more time than they save. */
const MIN_BYTES = 1024

/**
 * Compresses what is worth it for those who take it; for others nothing is changed, and nothing is spent. What nobody may
 * store is left alone: it is personal, and its length would tell of what is in it.
 */
export function compressResponses(answer: Listener): Listener {
  const compress = compression({
    threshold: MIN_BYTES,
    filter: (request, response) => isForAll(response) && compression.filter(request, response),
  }) as unknown as (request: IncomingMessage, response: ServerResponse, next: () => void) => void

  return (request, response) => {
    if (request.headers['accept-encoding'] === undefined) {
      answer(request, response)
      return
    }
    // Runs after that of the compression, which is called later.
    onHeaders(response, () => {
      weakenTag(response)
    })
    compress(request, response, () => {
      answer(request, response)
    })
  }
}

function isForAll(response: ServerResponse): boolean {
  return !/no-store/i.test(String(response.getHeader('cache-control') ?? ''))
}

/** A strong entity-tag is of the very bytes (RFC 9110, section 8.8.3). */
function weakenTag(response: ServerResponse): void {
  const tag = response.getHeader('etag')
  if (typeof tag === 'string' && tag.startsWith('"') && response.hasHeader('content-encoding'))
    response.setHeader('etag', `W/${tag}`)
}
