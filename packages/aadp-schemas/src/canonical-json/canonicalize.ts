/// <reference lib="es2024.string" />
import { CanonicalJsonError } from './canonical-json-error.js'
import { copyInOrder, type MemberMap, type OrderedCopy, type OrderedMembers } from './ordered-copy.js'

/**
 * Canonical JSON text of a value (RFC 8785): members in order of UTF-16 code units, ECMAScript number text, no white space.
 *
 * Takes only what JSON can hold: null, booleans, finite numbers, strings of whole Unicode characters, and arrays and plain
 * objects (of any realm, or without a prototype) of such values, at most 1,000 deep. One object may occur at several places.
 * Anything else throws and nothing is converted. Only what is hidden beside the elements of an array is passed over.
 *
 * @throws {CanonicalJsonError} with a `code` and the `path` of the refused value. What a Proxy's traps throw passes through.
 */
export function canonicalize(value: unknown): string {
  const { copy, hasMaps } = copyInOrder(value)
  const text = hasMaps ? write(copy) : JSON.stringify(copy)
  if (text.includes(SURROGATE_ESCAPE)) refuseLoneSurrogate(copy)
  return text
}

/** `JSON.stringify` escapes a surrogate only where it stands alone; a text that spells out an escape looks the same. */
const SURROGATE_ESCAPE = '\\ud'

/** What `JSON.stringify` would write, if it knew maps. */
function write(copy: OrderedCopy): string {
  if (typeof copy !== 'object' || copy === null) return JSON.stringify(copy)
  const isArray = Array.isArray(copy)
  let text = ''
  for (const [key, member] of entriesOf(copy)) {
    if (text !== '') text += ','
    text += isArray ? write(member) : `${JSON.stringify(key)}:${write(member)}`
  }
  return isArray ? `[${text}]` : `{${text}}`
}

function refuseLoneSurrogate(copy: OrderedCopy): void {
  const keys = findLoneSurrogate(copy)
  if (keys !== undefined) throw new CanonicalJsonError('lone_surrogate', keys)
}

function findLoneSurrogate(copy: OrderedCopy): readonly (string | number)[] | undefined {
  if (typeof copy === 'string') return copy.isWellFormed() ? undefined : []
  if (typeof copy !== 'object' || copy === null) return undefined
  for (const [key, member] of entriesOf(copy)) {
    const rest = String(key).isWellFormed() ? findLoneSurrogate(member) : []
    if (rest !== undefined) return [key, ...rest]
  }
  return undefined
}

function entriesOf(
  copy: OrderedCopy[] | OrderedMembers | MemberMap,
): Iterable<[string | number, OrderedCopy]> {
  return Array.isArray(copy) || copy instanceof Map ? copy.entries() : Object.entries(copy)
}
