/** The operations of RFC 6902 that the vectors use. */
export type PatchOperation =
  | { readonly op: 'add' | 'replace'; readonly path: string; readonly value: unknown }
  | { readonly op: 'remove'; readonly path: string }

/**
 * A changed copy of a JSON document (RFC 6902). Unlike the usual libraries it can write members named `__proto__`,
 * because hostile documents have them.
 *
 * @throws {Error} when a path does not lead to an existing place
 */
export function applyPatch(document: unknown, patch: readonly PatchOperation[]): unknown {
  const holder: Record<string, unknown> = { document: structuredClone(document) }
  for (const operation of patch) apply(holder, operation)
  return holder['document']
}

function apply(holder: object, operation: PatchOperation): void {
  const tokens = ['document', ...operation.path.split('/').slice(1).map(unescapeToken)]
  const key = tokens.pop()!
  const parent = tokens.reduce((value, token) => childOf(value, token, operation), holder)
  if (operation.op !== 'add' && !Object.hasOwn(parent, key)) throw new Error(`no place ${operation.path}`)
  if (Array.isArray(parent)) applyToArray(parent, key, operation)
  else if (operation.op === 'remove') Reflect.deleteProperty(parent, key)
  else defineMember(parent, key, operation.value)
}

function childOf(value: object, token: string, operation: PatchOperation): object {
  const child: unknown = Object.hasOwn(value, token) ? value[token as keyof typeof value] : undefined
  if (typeof child !== 'object' || child === null) throw new Error(`no place ${operation.path}`)
  return child
}

function applyToArray(array: unknown[], key: string, operation: PatchOperation): void {
  const index = key === '-' ? array.length : Number(key)
  if (!Number.isInteger(index) || index < 0 || index > array.length)
    throw new Error(`no place ${operation.path}`)
  if (operation.op === 'remove') array.splice(index, 1)
  else array.splice(index, operation.op === 'add' ? 0 : 1, operation.value)
}

/** Assignment would call the setter of `__proto__`. */
function defineMember(object: object, key: string, value: unknown): void {
  Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true })
}

function unescapeToken(token: string): string {
  return token.replaceAll('~1', '/').replaceAll('~0', '~')
}
