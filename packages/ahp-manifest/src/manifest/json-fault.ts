const SPACE = /[\t\n\r ]*/y
const PLAIN = String.raw`[^"\\\u0000-\u001f]*`
const STRING = String.raw`"${PLAIN}(?:\\(?:["\\/bfnrt]|u[\dA-Fa-f]{4})${PLAIN})*"`
const NUMBER = String.raw`-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[Ee][+-]?\d+)?`

/** What may come next (RFC 8259). */
const EXPECTED = {
  value: new RegExp(`[[{]|${STRING}|${NUMBER}|true|false|null`, 'y'),
  firstItem: new RegExp(`[\\][{]|${STRING}|${NUMBER}|true|false|null`, 'y'),
  firstName: new RegExp(`\\}|${STRING}`, 'y'),
  name: new RegExp(STRING, 'y'),
  colon: /:/y,
  afterItem: /[,\]]/y,
  afterMember: /[,}]/y,
  nothing: /(?!)/y,
}

/**
 * Where text stops being JSON: the first token that cannot stand there, or its end. `JSON.parse` says so on few runtimes
 * and of few faults. Counted from 1, columns in UTF-16 code units.
 */
export function placeOfJsonFault(text: string): { readonly line: number; readonly column: number } {
  const before = text.slice(0, faultIn(text)).split('\n')
  return { line: before.length, column: (before.at(-1) ?? '').length + 1 }
}

function faultIn(text: string): number {
  const open: ('[' | '{')[] = []
  let expected: keyof typeof EXPECTED = 'value'
  let at = 0
  for (;;) {
    at += matchAt(SPACE, text, at).length
    const token = matchAt(EXPECTED[expected], text, at)
    if (token === '') return at
    at += token.length
    if (token === '[' || token === '{') open.push(token)
    if (token === ']' || token === '}') open.pop()
    expected = expectedAfter(token, expected, open.at(-1))
  }
}

function matchAt(pattern: RegExp, text: string, at: number): string {
  pattern.lastIndex = at
  return pattern.exec(text)?.[0] ?? ''
}

function expectedAfter(
  token: string,
  expected: keyof typeof EXPECTED,
  inside: '[' | '{' | undefined,
): keyof typeof EXPECTED {
  if (token === '[') return 'firstItem'
  if (token === '{') return 'firstName'
  if (token === ':') return 'value'
  if (token === ',') return inside === '{' ? 'name' : 'value'
  if (expected === 'name' || (expected === 'firstName' && token !== '}')) return 'colon'
  if (inside === undefined) return 'nothing'
  return inside === '{' ? 'afterMember' : 'afterItem'
}
