/** Whether a body is a whole text of a media type, in bytes that can be read and that nothing vouches for. */
export function isPlainBody(
  { headers, status }: { readonly headers: Headers; readonly status: number },
  mediaType: string,
): boolean {
  const [type = '', ...parameters] = (headers.get('content-type') ?? '').toLowerCase().split(';')
  const encoding = headers.get('content-encoding') ?? 'identity'
  return (
    type.trim() === mediaType &&
    !parameters.some((parameter) =>
      /^\s*charset\s*=\s*"?(?:utf-(?:16|32)|utf-7|iso-2022|hz-)/.test(parameter),
    ) &&
    encoding.trim().toLowerCase() === 'identity' &&
    status !== 304 &&
    !FIELDS_OF_BYTES.some((name) => headers.has(name)) &&
    !/^\s*attachment/i.test(headers.get('content-disposition') ?? '')
  )
}

/** They say something about exactly these bytes. */
const FIELDS_OF_BYTES = [
  'content-range',
  'content-md5',
  'digest',
  'content-digest',
  'repr-digest',
  'signature-input',
]

/** The fields that the functions of this file read or write. */
export const BODY_FIELDS: readonly string[] = [
  ...FIELDS_OF_BYTES,
  'content-type',
  'content-encoding',
  'content-disposition',
  'content-length',
  'accept-ranges',
  'etag',
]

/** The length is another, and ranges of the first bytes do not fit: a strong tag would let a reader join them. */
export function describeChangedBody(headers: Headers): void {
  headers.delete('content-length')
  headers.delete('accept-ranges')
  const etag = headers.get('etag')
  if (etag?.startsWith('"') === true) headers.set('etag', `W/${etag}`)
}

/** A reader that knows a changed body by its weak tag gets it back in that form. */
export function weakenKnownTag(headers: Headers, ifNoneMatch: string | null): void {
  const etag = headers.get('etag')
  if (etag?.startsWith('"') !== true) return
  if (ifNoneMatch?.includes(`W/${etag}`) === true) headers.set('etag', `W/${etag}`)
}
