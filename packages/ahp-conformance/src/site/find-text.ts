/** A text in a document. */
export interface FoundText {
  readonly text: string
  /** JSON Pointer; empty where the document is the text. */
  readonly pointer: string
}

/** The first text of a document that passes a test, member names left aside. */
export function findText(
  value: unknown,
  isIt: (text: string) => boolean,
  pointer = '',
): FoundText | undefined {
  if (typeof value === 'string') return isIt(value) ? { text: value, pointer } : undefined
  if (typeof value !== 'object' || value === null) return undefined
  for (const [name, member] of Object.entries(value)) {
    const escaped = name.replaceAll('~', '~0').replaceAll('/', '~1')
    const found = findText(member, isIt, `${pointer}/${escaped}`)
    if (found !== undefined) return found
  }
  return undefined
}
