import { canonicalize } from './canonicalize.js'
import { sha256Hex as digest } from '#sha256'

/**
 * `sha256:` and the SHA-256 of the canonical JSON text in UTF-8, in lower-case hex.
 *
 * @throws {CanonicalJsonError} when the value has no canonical JSON, see `canonicalize`.
 */
export function checksumOf(value: unknown): `sha256:${string}` {
  return `sha256:${sha256Hex(canonicalize(value))}`
}

/** SHA-256 in 64 lower-case hex digits, synchronous on every runtime; a string counts as its UTF-8 bytes. */
export function sha256Hex(data: string | Uint8Array): string {
  return digest(data)
}
