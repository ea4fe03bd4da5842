export interface MediaType {
  /** Type and subtype in lower case, without parameters. */
  readonly essence: string
  readonly charset?: string
}

const ESSENCE = /^[\t\n\r ]*([!#$%&'*+.^_`|~\w-]+\/[!#$%&'*+.^_`|~\w-]+)[\t\n\r ]*(?:;|$)/
const CHARSET = /;[\t\n\r ]*charset=(?:"([^"\\]*)|([^\t\n\r ;"]+))/i

/** Reads a `Content-Type` or a type hint; undefined where it is none. Of parameters only the charset matters here. */
export function parseMediaType(value: string | null | undefined): MediaType | undefined {
  const text = value?.slice(0, 1024) ?? ''
  const essence = ESSENCE.exec(text)?.[1]?.toLowerCase()
  if (essence === undefined) return undefined
  const [, quoted, plain] = CHARSET.exec(text) ?? []
  const charset = quoted ?? plain
  return charset === undefined ? { essence } : { essence, charset }
}

export function isJsonType(essence: string): boolean {
  return essence === 'application/json' || essence === 'text/json' || essence.endsWith('+json')
}

export function isHtmlType(essence: string): boolean {
  return essence === 'text/html' || essence === 'application/xhtml+xml'
}
