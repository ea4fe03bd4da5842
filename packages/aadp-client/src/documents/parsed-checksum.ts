import { checksumOf, sha256Hex } from '@doorplate/aadp-schemas/canonical-json'

/** Deeper values are left to `checksumOf`, which also knows when to refuse them. */
const MAX_DEPTH = 64

/**
 * The checksum of a value that `JSON.parse` made. Such a value holds plain data only, so where the members of every object
 * are in canonical order already, its JSON text is its canonical text and no ordered copy is needed.
 *
 * @throws {CanonicalJsonError} when the value has no canonical JSON.
 */
export function parsedChecksum(value: unknown): string {
  if (isInOrder(value, 0) && !('toJSON' in Array.prototype)) {
    const text = JSON.stringify(value)
    // A surrogate that stands alone is escaped; whether it is one, the full check knows.
    if (!text.includes('\\ud')) return `sha256:${sha256Hex(text)}`
  }
  return checksumOf(value)
}

/** Whether every number is finite and every object lists its keys by UTF-16 code units. */
function isInOrder(value: unknown, depth: number): boolean {
  if (typeof value === 'number') return Number.isFinite(value)
  if (typeof value !== 'object' || value === null) return true
  if (depth === MAX_DEPTH) return false
  if (Array.isArray(value)) return value.every((item) => isInOrder(item, depth + 1))
  let before: string | undefined
  for (const key of Object.keys(value)) {
    if (before !== undefined && key < before) return false
    before = key
    if (!isInOrder((value as Record<string, unknown>)[key], depth + 1)) return false
  }
  return true
}
