import { createHash } from 'node:crypto'

export const HTML = 'text/html; charset=utf-8'

/** What a page may do besides being read. */
export interface PageAbilities {
  /** Its own scripts run, and ask nobody but this server. Default: nothing runs. */
  readonly scripts?: boolean
  /** Its forms are sent, to nobody but this server. Default: none is. */
  readonly forms?: boolean
}

/** A page that is made for one request: nobody keeps it. */
export function pageResponse(status: number, body: string, abilities: PageAbilities = {}): Response {
  return respond(status, body, { ...safety(abilities), 'content-type': HTML, 'cache-control': 'no-store' })
}

/** What stays the same until its source changes: it is kept, and asked for again by its tag. */
export function keptResponse(
  request: Request,
  content: { readonly mediaType: string; readonly body: string },
  abilities: PageAbilities = {},
): Response {
  const { mediaType, body } = content
  const etag = `"${createHash('sha256').update(body).digest('base64url')}"`
  const headers = { ...safety(abilities), etag, 'cache-control': 'no-cache' }
  const known = request.headers.get('if-none-match')
  if (known?.trim() === '*' || known?.includes(etag) === true)
    return new Response(null, { status: 304, headers })
  return respond(200, body, { ...headers, 'content-type': mediaType })
}

/** JSON to be saved as a file of that name. */
export function downloadResponse(fileName: string, body: string): Response {
  return respond(200, body, {
    ...safety({}),
    'content-type': 'application/json',
    'content-disposition': `attachment; filename="${fileName}"`,
    'cache-control': 'no-store',
  })
}

export function seeOther(location: string): Response {
  return new Response(null, {
    status: 303,
    headers: { ...safety({}), location, 'cache-control': 'no-store' },
  })
}

function respond(status: number, body: string, headers: Readonly<Record<string, string>>): Response {
  return new Response(body, {
    status,
    headers: { ...headers, 'content-length': String(Buffer.byteLength(body)) },
  })
}

/** Nothing is loaded but from here, nothing runs that is not meant to, nobody frames a page. */
function safety({ scripts = false, forms = false }: PageAbilities): Readonly<Record<string, string>> {
  return {
    'content-security-policy': [
      "default-src 'none'",
      ...(scripts ? ["script-src 'self'", "connect-src 'self'"] : []),
      "style-src 'self'",
      "img-src 'self'",
      "base-uri 'none'",
      `form-action ${forms ? "'self'" : "'none'"}`,
      "frame-ancestors 'none'",
    ].join('; '),
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    // Forms name their origin only under a policy that lets them.
    'referrer-policy': forms ? 'same-origin' : 'no-referrer',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
  }
}
