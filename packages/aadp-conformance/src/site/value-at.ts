/** The value at a JSON Pointer (RFC 6901); undefined where there is none. */
export function valueAt(document: unknown, pointer: string): unknown {
  const names = pointer.split('/').slice(1)
  return names.reduce((value: unknown, name) => {
    const member = name.replaceAll('~1', '/').replaceAll('~0', '~')
    const isThere = typeof value === 'object' && value !== null && Object.hasOwn(value, member)
    return isThere ? (value as Record<string, unknown>)[member] : undefined
  }, document)
}
