type Headers = Readonly<Record<string, string>>

const EXPOSED =
  'ETag, Link, Retry-After, WWW-Authenticate, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, X-RateLimit-Window, X-Request-Id'
const REQUEST_FIELDS =
  'Accept, Authorization, Content-Type, Idempotency-Key, If-None-Match, MCP-Protocol-Version, Mcp-Method, Mcp-Name, X-AHP-Key'

/** Lets any page read: for what is public. */
export const READABLE_BY_ALL: Headers = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': EXPOSED,
}

/**
 * What pages of other origins may do (Fetch Standard, CORS protocol): nothing, unless their origin is in the list.
 *
 * @param always fields to send whatever the origin
 */
export function createCrossOrigin(
  allowOrigins: readonly string[],
  always: Headers,
): (origin: string | null) => Headers {
  const toAll = { ...always, ...READABLE_BY_ALL }
  if (allowOrigins.includes('*')) return () => toAll
  if (allowOrigins.length === 0) return () => always
  const allowed = new Set(allowOrigins.map((origin) => new URL(origin).origin))
  const toOthers = { ...always, vary: 'Origin' }
  return (origin) =>
    origin !== null && allowed.has(origin)
      ? { ...toOthers, 'access-control-allow-origin': origin, 'access-control-expose-headers': EXPOSED }
      : toOthers
}

/** What the answer to a preflight adds where the origin is allowed. */
export function preflightHeaders(crossOrigin: Headers, methods: string): Headers {
  if (!Object.hasOwn(crossOrigin, 'access-control-allow-origin')) return {}
  return {
    'access-control-allow-methods': methods,
    'access-control-allow-headers': REQUEST_FIELDS,
    'access-control-max-age': '86400',
  }
}
