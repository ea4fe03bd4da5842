const encoder = new TextEncoder()

/**
 * Bytes of the shortest JSON text of a parsed value in UTF-8, at any depth without recursion. The count ends soon after
 * `limitBytes`, so that a value which contains itself has an end too.
 */
export function serializedSize(root: unknown, limitBytes: number): number {
  let bytes = 0
  const pending: unknown[] = [root]
  while (pending.length > 0 && bytes <= limitBytes) {
    const value = pending.pop()
    if (typeof value !== 'object' || value === null) {
      bytes += textSize(value)
      continue
    }
    const keys = Array.isArray(value) ? [] : Object.keys(value)
    const children: unknown[] = Object.values(value)
    bytes += 2 + Math.max(0, children.length - 1)
    for (const key of keys) bytes += textSize(key) + 1
    for (const child of children) pending.push(child)
  }
  return bytes
}

function textSize(leaf: unknown): number {
  return typeof leaf === 'string' ? encoder.encode(JSON.stringify(leaf)).length : String(leaf).length
}
