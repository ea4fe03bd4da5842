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

/** What pages of other origins may do (Fetch Standard, CORS protocol): nothing, unless their origin is in the list. */
export function createCrossOrigin(allowOrigins: readonly string[]): (origin: string | null) => Headers {
  if (allowOrigins.includes('*')) return () => READABLE_BY_ALL
  if (allowOrigins.length === 0) return () => NOTHING
  const allowed = new Set(allowOrigins.map((origin) => new URL(origin).origin))
  return (origin) =>
    origin !== null && allowed.has(origin)
      ? { vary: 'Origin', 'access-control-allow-origin': origin, 'access-control-expose-headers': EXPOSED }
      : { vary: 'Origin' }
}

const NOTHING: Headers = {}

/** What the answer to a preflight adds where the origin is allowed. */
export function preflightHeaders(crossOrigin: Headers, methods: string): Headers {
  if (!Object.hasOwn(crossOrigin, 'access-control-allow-origin')) return NOTHING
  return {
    'access-control-allow-methods': methods,
    'access-control-allow-headers': REQUEST_FIELDS,
    'access-control-max-age': '86400',
  }
}
