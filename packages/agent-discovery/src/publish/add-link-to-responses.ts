/** What the middleware needs of a `ServerResponse` of node:http or of what frameworks make of it. */
export interface NodeResponse {
  readonly headersSent: boolean
  getHeader(name: string): number | string | readonly string[] | undefined
  setHeader(name: string, value: string | readonly string[]): unknown
  writeHead(...parameters: never[]): unknown
}

/**
 * A middleware for node:http, Express and the like that adds `Link` values to every response, beside those that the
 * application sets, however it sets them. Called without `next` it only prepares the response.
 */
export function addLinkToResponses(
  linkHeader: string,
): (request: unknown, response: NodeResponse, next?: () => void) => void {
  return (_request, response, next) => {
    if (linkHeader !== '' && !response.headersSent) prepare(response, linkHeader)
    next?.()
  }
}

/** Headers are complete when they are written, and `writeHead` is where every way of answering passes. */
function prepare(response: NodeResponse, linkHeader: string): void {
  // eslint-disable-next-line @typescript-eslint/unbound-method -- it is applied to the response below
  const writeHead = response.writeHead as (...parameters: unknown[]) => unknown
  response.writeHead = (...parameters: unknown[]) => {
    response.writeHead = writeHead
    const given = parameters.at(-1)
    const own = typeof given === 'object' && given !== null ? takeLink(given) : []
    const before = response.getHeader('link')
    const all = [...(own.length > 0 ? own : toList(before)), linkHeader]
    response.setHeader('Link', [...new Set(all)])
    return writeHead.apply(response, parameters)
  }
}

/** Removes the `Link` field from the headers given to `writeHead`, an object or a flat list, and gives its values. */
function takeLink(given: object): readonly string[] {
  if (Array.isArray(given)) {
    const found: string[] = []
    for (let index = given.length - 2; index >= 0; index -= 2) {
      if (String(given[index]).toLowerCase() === 'link')
        found.unshift(...toList((given.splice(index, 2) as unknown[])[1]))
    }
    return found
  }
  const key = Object.keys(given).find((name) => name.toLowerCase() === 'link')
  if (key === undefined) return []
  const value: unknown = Reflect.get(given, key)
  Reflect.deleteProperty(given, key)
  return toList(value)
}

function toList(value: unknown): readonly string[] {
  if (value === undefined || value === null) return []
  return (Array.isArray(value) ? (value as unknown[]) : [value]).map(String)
}
