import { hmac } from '@noble/hashes/hmac.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { decodeBase64Url, decodeUtf8, encodeBase64Url, encodeUtf8 } from './base64url.js'

/** The longest cursor that is read or published, in characters. */
const MAX_CURSOR_LENGTH = 4096

/** Where a sitemap goes on. */
export interface CursorPosition {
  /**
   * `at`: the page that `list` gives for `raw`. `after`: whatever follows that page, which was full and the last
   * one when the cursor was made.
   */
  readonly from: 'at' | 'after'
  /** A cursor of the application; `null`, its first page. */
  readonly raw: string | null
}

export interface CursorCodec {
  /** Equal positions give equal text; `undefined` when the text would be too long or is not Unicode. */
  encode(type: string, position: CursorPosition): string | undefined
  /** `undefined` unless `text` is what `encode` gives for this type, letter for letter. */
  decode(type: string, text: unknown): CursorPosition | undefined
}

/**
 * Cursors bound to a wire version and a type. With secrets each carries an HMAC-SHA256 under the first of them,
 * and any of them is accepted, so that a secret can be replaced while old cursors still work.
 */
export function createCursorCodec(version: string, secrets: readonly string[]): CursorCodec {
  const keys = secrets.map(encodeUtf8)

  return {
    encode(type, position) {
      if (position.raw !== null && !position.raw.isWellFormed()) return undefined
      const payload = encodeBase64Url(
        encodeUtf8(JSON.stringify([version, type, position.from, position.raw])),
      )
      const [key] = keys
      const text = key === undefined ? payload : `${payload}.${signature(key, payload)}`
      return text.length > MAX_CURSOR_LENGTH ? undefined : text
    },

    decode(type, text) {
      if (typeof text !== 'string' || text.length > MAX_CURSOR_LENGTH) return undefined
      const payload = keys.length === 0 ? text : signedPayload(keys, text)
      return payload === undefined ? undefined : readPayload(version, type, payload)
    },
  }
}

function readPayload(version: string, type: string, payload: string): CursorPosition | undefined {
  const bytes = decodeBase64Url(payload)
  const json = bytes && decodeUtf8(bytes)
  if (json === undefined) return undefined
  const parts = parseArray(json)
  if (parts?.length !== 4 || parts[0] !== version || parts[1] !== type) return undefined
  const [, , from, raw] = parts
  if (from !== 'at' && from !== 'after') return undefined
  if (raw !== null && typeof raw !== 'string') return undefined
  return JSON.stringify(parts) === json ? { from, raw } : undefined
}

function parseArray(json: string): readonly unknown[] | undefined {
  try {
    const value: unknown = JSON.parse(json)
    return Array.isArray(value) ? value : undefined
  } catch {
    return undefined
  }
}

function signature(key: Uint8Array, payload: string): string {
  return encodeBase64Url(hmac(sha256, key, encodeUtf8(payload)))
}

function signedPayload(keys: readonly Uint8Array[], text: string): string | undefined {
  const dot = text.indexOf('.')
  if (dot < 0) return undefined
  const payload = text.slice(0, dot)
  const given = text.slice(dot + 1)
  return keys.some((key) => isEqualInConstantTime(signature(key, payload), given)) ? payload : undefined
}

function isEqualInConstantTime(expected: string, given: string): boolean {
  if (expected.length !== given.length) return false
  let difference = 0
  for (let index = 0; index < expected.length; index++) {
    difference |= expected.charCodeAt(index) ^ given.charCodeAt(index)
  }
  return difference === 0
}
