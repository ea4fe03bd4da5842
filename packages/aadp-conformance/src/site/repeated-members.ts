import { parse, type ValueNode } from '@humanwhocodes/momoa'

/**
 * JSON Pointers to members whose name the same object has before, which `JSON.parse` hides. `data` is what it made of the
 * text: a text without such members has as many names as the data, and needs no closer look.
 */
export function repeatedMembers(text: string, data: unknown): readonly string[] {
  if (countNames(text) === countMembers(data)) return []
  const root = parseOrNothing(text)
  if (root === undefined) return []
  const pointers: string[] = []
  const pending: { readonly node: ValueNode; readonly path: string }[] = [{ node: root, path: '' }]
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { node, path } = next
    if (node.type === 'Array') {
      node.elements.forEach((element, index) =>
        pending.push({ node: element.value, path: `${path}/${index}` }),
      )
    }
    if (node.type !== 'Object') continue
    const seen = new Set<string>()
    for (const { name, value } of node.members) {
      const key = name.type === 'String' ? name.value : name.name
      const pointer = `${path}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`
      if (seen.has(key)) pointers.push(pointer)
      seen.add(key)
      pending.push({ node: value, path: pointer })
    }
  }
  return pointers
}

/** The parser takes a stack frame for each level of nesting: a text that is too deep is somebody else's finding. */
function parseOrNothing(text: string): ValueNode | undefined {
  try {
    return parse(text).body
  } catch {
    return undefined
  }
}

/** Every quotation mark of a JSON text belongs to a string, and a colon follows those strings that are names. */
function countNames(text: string): number {
  let count = 0
  for (const [token] of text.matchAll(/"[^"\\]*(?:\\.[^"\\]*)*"\s*:?/g)) if (token.endsWith(':')) count++
  return count
}

function countMembers(data: unknown): number {
  let count = 0
  const pending: unknown[] = [data]
  while (pending.length > 0) {
    const value = pending.pop()
    if (typeof value !== 'object' || value === null) continue
    const children = Object.values(value) as unknown[]
    if (!Array.isArray(value)) count += children.length
    for (const child of children) pending.push(child)
  }
  return count
}
