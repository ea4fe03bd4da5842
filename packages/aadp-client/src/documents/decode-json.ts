import { isAscii } from 'node:buffer'
import { AadpClientError } from '../errors.js'

/** One leading byte order mark is dropped, U+FEFF elsewhere stays; bytes that are not UTF-8 throw (RFC 8259 section 8.1). */
const UTF8 = new TextDecoder('utf-8', { fatal: true })

/** Whether a Content-Type is `application/json`. Parameters have no meaning for JSON (RFC 8259 section 11). */
export function isJsonContentType(contentType: string | undefined): boolean {
  return contentType !== undefined && /^[\t ]*application\/json[\t ]*(?:;|$)/i.test(contentType)
}

/** The text of a JSON body. Throws `malformed_json` unless the bytes are UTF-8. */
export function decodeText(body: Uint8Array, url: string): string {
  // The same text, sooner.
  if (isAscii(body)) return Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('latin1')
  try {
    return UTF8.decode(body)
  } catch (cause) {
    throw new AadpClientError('malformed_json', `Not UTF-8: ${url}`, { url, cause })
  }
}

/** The value of a JSON text. Throws `malformed_json`; the parser's message may quote the text and is not repeated. */
export function parseJson(text: string, url: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new AadpClientError('malformed_json', `Not JSON: ${url}`, { url, cause })
  }
}
