/** The canonical order of an object's keys (RFC 8785 section 3.2.3), worked out once for each list of keys. */
export interface KeyOrder {
  /** The keys as they were given. */
  readonly given: readonly string[]
  /** The keys by UTF-16 code units. */
  readonly sorted: readonly string[]
  /** Every object lists such keys first and by their number, whatever the order in which they were set. */
  readonly hasIntegerKeys: boolean
}

/** Documents repeat few lists of keys. Together the remembered ones hold at most 256 times 1,024 characters. */
const remembered: (KeyOrder | undefined)[] = new Array<undefined>(256).fill(undefined)
const LONGEST_REMEMBERED = 1024

export function keyOrderOf(keys: readonly string[]): KeyOrder {
  const slot = slotOf(keys)
  const known = remembered[slot]
  if (known !== undefined && haveSameItems(known.given, keys)) return known
  const order = {
    given: keys,
    sorted: keys.toSorted(),
    hasIntegerKeys: keys.some((key) => /^\d+$/.test(key)),
  }
  if (keys.join().length <= LONGEST_REMEMBERED) remembered[slot] = order
  return order
}

function slotOf(keys: readonly string[]): number {
  const first = keys[0] ?? ''
  const last = keys[keys.length - 1] ?? ''
  return (keys.length * 37 + first.length * 5 + last.length * 11 + last.charCodeAt(0)) & 255
}

function haveSameItems(left: readonly string[], right: readonly string[]): boolean {
  if (left.length !== right.length) return false
  for (let i = 0; i < left.length; i++) if (left[i] !== right[i]) return false
  return true
}
