import { sha256 } from '@noble/hashes/sha2'
import { bytesToHex } from '@noble/hashes/utils'

export function sha256Hex(data: string | Uint8Array): string {
  return bytesToHex(sha256(data))
}
