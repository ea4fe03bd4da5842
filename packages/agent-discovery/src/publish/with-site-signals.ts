import { changeStream } from '@doorplate/ahp-manifest/page'
import { checkOption } from '../options/check-option.js'
import { amendResponse, checkSignals, fieldsOf, type SignalsToAdd } from './amend-response.js'

/** Any function that answers a request: a Fetch handler of Node, Deno, Bun, Workers or a framework. */
export type FetchHandler<Rest extends readonly unknown[]> = (
  request: Request,
  ...rest: Rest
) => Response | Promise<Response>

/** Statuses that `new Response` refuses: they pass unchanged. */
function isRebuildable({ status }: Response): boolean {
  return status >= 200 && status <= 599
}

/**
 * Makes every response of a handler carry the signals of a site: the `Link` field, `<link>`, `<meta>` and the notice in
 * pages, lines in robots.txt. Serves the documents that the handler has not. Bodies stream, and those that must not change
 * do not: fragments, compressed, partial, signed, and all that is not HTML.
 *
 * @throws {AgentDiscoveryError} `invalid_option`
 */
export function withSiteSignals<Rest extends readonly unknown[]>(
  handler: FetchHandler<Rest>,
  signals: SignalsToAdd,
): (request: Request, ...rest: Rest) => Promise<Response> {
  checkOption('handler', typeof (handler as unknown) === 'function', 'a function')
  checkSignals(signals)
  return async (request, ...rest) => {
    const response = await handler(request, ...rest)
    return isRebuildable(response) ? amended(request, response, signals) : response
  }
}

async function amended(request: Request, response: Response, signals: SignalsToAdd): Promise<Response> {
  const { status, statusText, body } = response
  const headers = new Headers(response.headers)
  const line = {
    method: request.method,
    path: new URL(request.url).pathname,
    ifNoneMatch: request.headers.get('if-none-match'),
  }
  const { change, instead } = amendResponse(line, { status, headers }, signals)
  if (instead) {
    await body?.cancel()
    return new Response(request.method === 'HEAD' ? null : instead.body, {
      headers: fieldsOf(instead, signals),
    })
  }
  const isChanged = change !== undefined && body !== null && !response.bodyUsed
  return new Response(isChanged ? body.pipeThrough(changeStream(change)) : body, {
    status,
    statusText,
    headers,
  })
}
