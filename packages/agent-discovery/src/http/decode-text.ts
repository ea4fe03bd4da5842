import { sniffCharset } from './sniff-charset.js'

/** Text of bytes in their declared or detected encoding; bytes that are wrong in it become U+FFFD. */
export function decodeText(bytes: Uint8Array, contentType?: string | null): string {
  return new TextDecoder(sniffCharset(bytes, contentType)).decode(bytes)
}
