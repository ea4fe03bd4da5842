import { parseMediaType } from './media-type.js'

/** Bytes in which a page may declare its encoding (HTML standard, 13.2.3.2). */
const PRESCAN_BYTES = 1024

/** The encoding of a page, as `TextDecoder` names it: byte order mark, then `Content-Type`, then `<meta>`, then UTF-8. */
export function sniffCharset(start: Uint8Array, contentType?: string | null): string {
  return (
    byteOrderMark(start) ??
    knownLabel(parseMediaType(contentType)?.charset) ??
    knownLabel(declaredCharset(start)) ??
    'utf-8'
  )
}

function byteOrderMark([first, second, third]: Uint8Array): string | undefined {
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8'
  if (first === 0xfe && second === 0xff) return 'utf-16be'
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  return undefined
}

/** The first known encoding that a `<meta>` declares, as the prescan of the HTML standard finds it. */
function declaredCharset(bytes: Uint8Array): string | undefined {
  const text = new TextDecoder('latin1').decode(bytes.subarray(0, PRESCAN_BYTES)).replace(COMMENT, '')
  for (const [, attributes = ''] of text.matchAll(META)) {
    const label = labelIn(attributesOf(attributes))
    // A document that can be read this far is not UTF-16, whatever it says.
    const encoding = knownLabel(label !== undefined && /^utf-16/i.test(label) ? 'utf-8' : label)
    if (encoding !== undefined) return encoding
  }
  return undefined
}

const COMMENT = /<!--(?:-?>|[^]*?(?:-->|$))/g
const META = /<meta[\s/]((?:[^>"']|"[^"]*"|'[^']*')*)/gi
const ATTRIBUTE = /([^\s"'>/=]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+)))?/g

function attributesOf(text: string): ReadonlyMap<string, string> {
  const attributes = new Map<string, string>()
  for (const [, name = '', double, single, bare = ''] of text.matchAll(ATTRIBUTE)) {
    const key = name.toLowerCase()
    if (!attributes.has(key)) attributes.set(key, double ?? single ?? bare)
  }
  return attributes
}

function labelIn(attributes: ReadonlyMap<string, string>): string | undefined {
  const charset = attributes.get('charset')
  if (charset !== undefined) return charset.trim()
  if (attributes.get('http-equiv')?.trim().toLowerCase() !== 'content-type') return undefined
  return /charset\s*=\s*["']?\s*([^\s"';]+)/i.exec(attributes.get('content') ?? '')?.[1]
}

function knownLabel(label: string | undefined): string | undefined {
  if (label === undefined) return undefined
  try {
    return new TextDecoder(label).encoding
  } catch {
    return undefined
  }
}
