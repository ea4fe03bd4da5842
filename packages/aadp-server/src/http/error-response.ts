import { CORS_HEADERS, type CoreResponse } from '../documents/published-document.js'
import type { AadpServerError } from '../errors/server-error.js'

const encoder = new TextEncoder()

/** The error envelope of the protocol, which nobody may cache. */
export function errorResponse(
  error: AadpServerError,
  requestId: string,
  headers: Readonly<Record<string, string>> = {},
): CoreResponse {
  const { code, message, status, retryAfterSeconds, wwwAuthenticate } = error
  const body = encoder.encode(JSON.stringify({ error: { code, message, request_id: requestId } }))
  return {
    status,
    headers: {
      'content-type': 'application/json',
      'content-length': String(body.byteLength),
      'cache-control': 'no-store',
      ...(retryAfterSeconds !== undefined && { 'retry-after': String(retryAfterSeconds) }),
      ...(wwwAuthenticate !== undefined && { 'www-authenticate': wwwAuthenticate }),
      ...CORS_HEADERS,
      ...headers,
    },
    body,
  }
}
