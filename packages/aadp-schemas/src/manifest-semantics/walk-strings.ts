import { pointerTo } from '../json-pointer.js'

export interface WalkedText {
  readonly path: string
  readonly text: string
}

/** Every string of a value, member names included, at any depth without recursion; an object met again is passed over. */
export function* walkStrings(root: unknown): Generator<WalkedText> {
  const visited = new Set<object>()
  const pending: { path: string; value: unknown }[] = [{ path: '', value: root }]
  for (let place = pending.pop(); place !== undefined; place = pending.pop()) {
    const { path, value } = place
    if (typeof value === 'string') yield { path, text: value }
    if (typeof value !== 'object' || value === null || visited.has(value)) continue
    visited.add(value)
    const children = Object.entries(value)
    for (const [key, child] of children.reverse()) {
      const childPath = pointerTo(path, key)
      if (!Array.isArray(value)) yield { path: childPath, text: key }
      pending.push({ path: childPath, value: child as unknown })
    }
  }
}
