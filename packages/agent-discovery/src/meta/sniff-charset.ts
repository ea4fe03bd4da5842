import { parseMediaType } from '../media-type.js'

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

function declaredCharset(bytes: Uint8Array): string | undefined {
  const text = new TextDecoder('latin1').decode(bytes.subarray(0, PRESCAN_BYTES))
  const [, label] =
    /<meta\s[^>]{0,500}?charset\s{0,20}=\s{0,20}["']?\s{0,20}([\w:.-]{1,40})/i.exec(text) ?? []
  // A document that can be read this far is not UTF-16, whatever it says (HTML standard, prescan).
  return label && /^utf-16/i.test(label) ? 'utf-8' : label
}

function knownLabel(label: string | undefined): string | undefined {
  if (label === undefined) return undefined
  try {
    return new TextDecoder(label).encoding
  } catch {
    return undefined
  }
}
