/** Text as bytes gave it, and what is wrong with the bytes. */
export interface DecodedText {
  readonly text: string
  readonly encodingFault?: string
}

const STRICT = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
const LENIENT = new TextDecoder('utf-8')

/** RFC 8259, section 8.1: UTF-8 without a byte order mark. A reader may put up with the mark, so reading goes on. */
export function decodeText(bytes: Uint8Array): DecodedText {
  try {
    const text = STRICT.decode(bytes)
    if (!text.startsWith('\ufeff')) return { text }
    return { text: text.slice(1), encodingFault: 'The text begins with a byte order mark.' }
  } catch {
    return { text: LENIENT.decode(bytes), encodingFault: 'The text is not UTF-8.' }
  }
}
