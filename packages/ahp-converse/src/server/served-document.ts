/** A document with its validators, ready to be sent. */
export interface ServedDocument {
  readonly body: string
  readonly etag: string
  /** Of a 200; a 304 has `validators` alone (RFC 9110 section 15.4.5). */
  readonly headers: Readonly<Record<string, string>>
  readonly validators: Readonly<Record<string, string>>
}

const encoder = new TextEncoder()

export interface DocumentOptions {
  readonly contentType: string
  readonly contentLocation?: string
  readonly maxAgeSeconds: number
}

export async function prepareDocument(
  body: string,
  { contentType, contentLocation, maxAgeSeconds }: DocumentOptions,
): Promise<ServedDocument> {
  const bytes = encoder.encode(body)
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
  const etag = `"${hex(digest.subarray(0, 16))}"`
  const validators = { etag, 'cache-control': `public, max-age=${maxAgeSeconds}`, vary: 'Accept' }
  const headers = {
    ...validators,
    'content-type': contentType,
    'content-length': String(bytes.byteLength),
    ...(contentLocation === undefined ? {} : { 'content-location': contentLocation }),
    'x-content-type-options': 'nosniff',
  }
  return { body, etag, headers, validators }
}

/** `If-None-Match` compares weakly (RFC 9110 section 13.1.2). The tag is hexadecimal, so that no other tag contains it. */
export function isKnown({ etag }: ServedDocument, ifNoneMatch: string | null): boolean {
  return ifNoneMatch !== null && (ifNoneMatch.trim() === '*' || ifNoneMatch.includes(etag))
}

function hex(bytes: Uint8Array): string {
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}
