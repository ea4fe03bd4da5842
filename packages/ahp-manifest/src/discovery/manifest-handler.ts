import type { Manifest } from '../generated/manifest/manifest.js'
import { checkNames, invalidOption } from '../manifest/ahp-manifest-error.js'
import { linkHeader } from './link-header.js'
import { MANIFEST_PATH } from './well-known.js'

/** Options of `createManifestHandler`. */
export interface ManifestHandlerOptions {
  /** How long the manifest may be kept, in seconds. Default: 3600. */
  readonly maxAgeSeconds?: number
  /** Who may read it from a browser: the value of `Access-Control-Allow-Origin`. Default: `*`. */
  readonly allowOrigin?: string
}

/** Answers requests for the manifest, whatever their path. */
export type ManifestHandler = (request: Request) => Promise<Response>

const METHODS = 'GET, HEAD, OPTIONS'

/**
 * A Fetch handler that serves a manifest as `application/json`, with an `ETag` of its bytes, a lifetime and the `Link`
 * field; a request that has the manifest already is answered with 304, and a method that does not read with 405.
 *
 * @throws {AhpManifestError} `invalid_option`
 */
export function createManifestHandler(
  manifest: Readonly<Manifest>,
  options: ManifestHandlerOptions = {},
): ManifestHandler {
  checkNames(options, ['maxAgeSeconds', 'allowOrigin'])
  const { maxAgeSeconds = 3600, allowOrigin = '*' } = options
  if (typeof (manifest as unknown) !== 'object') throw invalidOption('manifest', 'must be an object')
  if (!Number.isInteger(maxAgeSeconds) || maxAgeSeconds < 0)
    throw invalidOption('maxAgeSeconds', 'must be a whole number, zero or more')
  if (typeof (allowOrigin as unknown) !== 'string' || !/^[\x21-\x7e]+$/.test(allowOrigin))
    throw invalidOption('allowOrigin', 'must be an origin or *')
  const body = new TextEncoder().encode(`${JSON.stringify(manifest, null, 2)}\n`)
  const common = {
    link: linkHeader(),
    'access-control-allow-origin': allowOrigin,
    'access-control-expose-headers': 'ETag, Link',
    ...(allowOrigin === '*' ? {} : { vary: 'Origin' }),
  }
  let tag: Promise<string> | undefined

  return async ({ method, headers }) => {
    if (method === 'OPTIONS') return new Response(null, { status: 204, headers: preflight(common) })
    if (method !== 'GET' && method !== 'HEAD') return methodNotAllowed(common)
    const etag = await (tag ??= entityTag(body))
    const validators = { ...common, etag, 'cache-control': `public, max-age=${maxAgeSeconds}` }
    if (matches(headers.get('if-none-match'), etag))
      return new Response(null, { status: 304, headers: validators })
    return new Response(method === 'HEAD' ? null : body, {
      headers: {
        ...validators,
        'content-type': 'application/json',
        'content-length': String(body.byteLength),
        'content-location': MANIFEST_PATH,
        'x-content-type-options': 'nosniff',
      },
    })
  }
}

async function entityTag(body: Uint8Array<ArrayBuffer>): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', body))
  return `"${[...digest.subarray(0, 16)].map((byte) => byte.toString(16).padStart(2, '0')).join('')}"`
}

/** `If-None-Match` compares weakly (RFC 9110 section 13.1.2). The tag is hexadecimal, so that no other tag contains it. */
function matches(fieldValue: string | null, etag: string): boolean {
  return fieldValue !== null && (fieldValue.trim() === '*' || fieldValue.includes(etag))
}

function preflight(common: Readonly<Record<string, string>>): Record<string, string> {
  return {
    ...common,
    allow: METHODS,
    'access-control-allow-methods': METHODS,
    'access-control-allow-headers': 'Accept, If-None-Match',
    'access-control-max-age': '86400',
  }
}

function methodNotAllowed(common: Readonly<Record<string, string>>): Response {
  const error = { status: 'error', code: 'invalid_request', message: `The manifest answers ${METHODS} only.` }
  return Response.json(error, {
    status: 405,
    headers: { ...common, allow: METHODS, 'cache-control': 'no-store' },
  })
}
