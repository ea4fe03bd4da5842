import { parse, type ValueNode } from '@humanwhocodes/momoa'

/** Longest text that is looked at, in UTF-16 code units. */
const MAX_LENGTH = 262_144

/** JSON Pointers to members whose name the same object has before. `JSON.parse` would hide them. */
export function repeatedMembers(text: string): readonly string[] {
  const root = text.length > MAX_LENGTH ? undefined : parseOrNothing(text)
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
