import { parse, type DocumentNode, type ValueNode } from '@humanwhocodes/momoa'

/** A place in a text, both counted from 1. */
export interface Position {
  readonly line: number
  readonly column: number
}

/** Tells where in a JSON text a JSON Pointer leads. */
export type Locate = (pointer: string) => Position

/** The text is not JSON; tells where it stops being so. */
export interface SyntaxFault extends Position {
  readonly message: string
}

/** Parses a JSON text, once for its value and once for its positions. */
export function parseWithPositions(
  text: string,
): { readonly data: unknown; readonly locate: Locate } | { readonly fault: SyntaxFault } {
  try {
    const data = JSON.parse(text) as unknown
    return { data, locate: locateIn(text) }
  } catch (error) {
    return { fault: syntaxFault(text, error instanceof Error ? error.message : 'The text is not JSON.') }
  }
}

/** V8 quotes the text and names a position only sometimes; the other parser knows the place of every bad token. */
function syntaxFault(text: string, message: string): SyntaxFault {
  const offset = /at position (\d+)/.exec(message)?.[1]
  const short = message
    .replace(/, (\.\.\.)?".*" is not valid JSON$/s, '')
    .replace(/ in JSON at position.*$/s, '')
  if (offset !== undefined) return { ...positionAt(text, Number(offset)), message: short }
  if (message.includes('end of JSON')) return { ...positionAt(text, text.length), message: short }
  return { ...badTokenIn(text), message: short }
}

function badTokenIn(text: string): Position {
  try {
    parse(text, { mode: 'json' })
    return { line: 1, column: 1 }
  } catch (error) {
    const { line = 1, column = 1 } = error as Partial<Position>
    return { line, column }
  }
}

/** A text that is nested too deeply for the parser of positions is judged without them. */
function locateIn(text: string): Locate {
  try {
    const document = parse(text, { mode: 'json' })
    return (pointer) => positionOf(document, pointer)
  } catch {
    return () => ({ line: 1, column: 1 })
  }
}

function positionAt(text: string, offset: number): Position {
  const before = text.slice(0, offset).split('\n')
  return { line: before.length, column: (before.at(-1) ?? '').length + 1 }
}

/** A member that is there is found by its name, one that is missing by the object it is missing from. */
function positionOf(document: DocumentNode, pointer: string): Position {
  let node: ValueNode = document.body
  let found: Position = node.loc.start
  for (const token of pointer.split('/').slice(1)) {
    const key = token.replaceAll('~1', '/').replaceAll('~0', '~')
    const child = childOf(node, key)
    if (child === undefined) break
    node = child.value
    found = child.at
  }
  return { line: found.line, column: found.column }
}

function childOf(
  node: ValueNode,
  key: string,
): { readonly value: ValueNode; readonly at: Position } | undefined {
  if (node.type === 'Array') {
    const element = /^\d+$/.test(key) ? node.elements[Number(key)] : undefined
    return element && { value: element.value, at: element.value.loc.start }
  }
  if (node.type !== 'Object') return undefined
  const member = node.members.findLast(
    ({ name }) => (name.type === 'String' ? name.value : name.name) === key,
  )
  return member && { value: member.value, at: member.name.loc.start }
}
