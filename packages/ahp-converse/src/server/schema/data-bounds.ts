import { dereference, type Schema } from '@cfworker/json-schema'
import { hasSquarePattern } from './find-flaw.js'

/** What data may have at most, so that checking it takes no longer than reading it by much; `Infinity` where it does not matter. */
export interface DataBounds {
  /** Characters of a text, or of the name of a member. */
  readonly maxTextLength: number
  readonly maxItems: number
  readonly maxDepth: number
}

/** Both take some millions of steps then. */
const MAX_SQUARE_LENGTH = 2048
const MAX_UNIQUE_ITEMS = 1000
/** How often one value may be looked at. */
const MAX_LOOKS = 100_000

/** Applied to the same data as the schema that has them. */
const LISTS = ['allOf', 'anyOf', 'oneOf'] as const
const ONES = ['if', 'then', 'else', 'not'] as const

export function boundsFor(schema: Schema): DataBounds {
  const parts = dereference(schema)
  const nodes = Object.values(parts).filter((part): part is Schema => typeof part === 'object')
  const looks = looksOfALevel(nodes, parts)
  return {
    maxTextLength: hasSquarePattern(schema) ? MAX_SQUARE_LENGTH : Infinity,
    maxItems: nodes.some(({ uniqueItems }) => uniqueItems === true) ? MAX_UNIQUE_ITEMS : Infinity,
    maxDepth: looks > 1 ? Math.floor(Math.log(MAX_LOOKS) / Math.log(looks)) : Infinity,
  }
}

/** What is too much, as an issue; undefined when nothing is. */
export function excessOf(
  data: unknown,
  { maxTextLength, maxItems, maxDepth }: DataBounds,
): string | undefined {
  function excess(value: unknown, depth: number): string | undefined {
    if (typeof value === 'string')
      return value.length > maxTextLength ? `a text must have at most ${maxTextLength} characters` : undefined
    if (typeof value !== 'object' || value === null) return undefined
    if (depth > maxDepth) return `must be nested at most ${maxDepth} levels deep`
    if (!Array.isArray(value))
      return firstOf([...Object.keys(value), ...(Object.values(value) as unknown[])], depth)
    return value.length > maxItems ? `a list must have at most ${maxItems} items` : firstOf(value, depth)
  }
  function firstOf(values: readonly unknown[], depth: number): string | undefined {
    for (const value of values) {
      const found = excess(value, depth + 1)
      if (found !== undefined) return found
    }
    return undefined
  }
  return excess(data, 1)
}

/**
 * How many times a schema that contains itself looks at each value of the next level: once, unless alternatives that are each
 * tried contain it again. Then one more level of the data takes that many times as long.
 */
function looksOfALevel(nodes: readonly Schema[], parts: Readonly<Record<string, Schema | boolean>>): number {
  const recursive = nodes.filter((node) => reaches(node, node, parts))
  return recursive.reduce((looks, node) => {
    const again = sameData(node).filter((branch) => branch !== node && nodes.some((at) => at === branch))
    const back = again.filter((branch) => recursive.includes(branch))
    return looks * Math.max(back.length, 1)
  }, 1)
}

function sameData(node: Schema): readonly Schema[] {
  const branches: unknown[] = [
    ...LISTS.flatMap((name) => node[name] ?? []),
    ...ONES.map((name) => node[name]),
  ]
  return branches.filter((branch): branch is Schema => typeof branch === 'object')
}

function reaches(from: Schema, to: Schema, parts: Readonly<Record<string, Schema | boolean>>): boolean {
  const seen = new Set<Schema>()
  const open = [...nextOf(from, parts)]
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (node === to) return true
    if (seen.has(node)) continue
    seen.add(node)
    open.push(...nextOf(node, parts))
  }
  return false
}

/** Every schema that is inside another, and the one that it refers to. */
function nextOf(node: Schema, parts: Readonly<Record<string, Schema | boolean>>): readonly Schema[] {
  const reference = node.__absolute_ref__ ?? node.$ref
  const target = reference === undefined ? undefined : parts[reference]
  const inside = Object.values(node).flatMap((value: unknown): readonly unknown[] =>
    typeof value === 'object' && value !== null ? [value, ...(Object.values(value) as unknown[])] : [],
  )
  const known = new Set<unknown>(Object.values(parts))
  return [target, ...inside].filter((one): one is Schema => typeof one === 'object' && known.has(one))
}
