/** Path and query of an origin-form or absolute-form request target (RFC 9112 section 3.2), escapes untouched. */
export function splitTarget(url: string): { readonly path: string; readonly query: string } {
  const target = url.startsWith('/') ? url : url.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, '')
  const hash = target.indexOf('#')
  const withoutHash = hash < 0 ? target : target.slice(0, hash)
  const mark = withoutHash.indexOf('?')
  return mark < 0
    ? { path: withoutHash, query: '' }
    : { path: withoutHash.slice(0, mark), query: withoutHash.slice(mark + 1) }
}
