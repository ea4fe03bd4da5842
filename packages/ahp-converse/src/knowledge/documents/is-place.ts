/** A root-relative path or an `http(s)` URL, with nothing that URL parsers drop or read as a slash. */
export function isPlace(url: unknown): url is string {
  if (typeof url !== 'string' || /[\s\\]/.test(url)) return false
  if (url.startsWith('/')) return !url.startsWith('//')
  return /^https?:\/\//i.test(url) && URL.canParse(url)
}
