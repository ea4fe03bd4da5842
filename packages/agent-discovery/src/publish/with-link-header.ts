/** Any function that answers a request: a Fetch handler of Node, Deno, Bun, Workers or a framework. */
export type FetchHandler<Rest extends readonly unknown[]> = (
  request: Request,
  ...rest: Rest
) => Response | Promise<Response>

/** Statuses that `new Response` refuses: they pass unchanged. */
function isRebuildable({ status }: Response): boolean {
  return status >= 200 && status <= 599
}

/** Adds `Link` values to every response of a handler, beside the ones that it sets itself. Bodies pass untouched. */
export function withLinkHeader<Rest extends readonly unknown[]>(
  handler: FetchHandler<Rest>,
  linkHeader: string,
): (request: Request, ...rest: Rest) => Promise<Response> {
  return async (request, ...rest) => {
    const response = await handler(request, ...rest)
    if (linkHeader === '' || !isRebuildable(response)) return response
    if (response.headers.get('link')?.includes(linkHeader)) return response
    try {
      response.headers.append('link', linkHeader)
      return response
    } catch {
      return withMutableHeaders(response, linkHeader)
    }
  }
}

/** Headers of redirects and of fetched responses cannot be changed. */
function withMutableHeaders(response: Response, linkHeader: string): Response {
  const copy = new Response(response.body, response)
  copy.headers.append('link', linkHeader)
  return copy
}
