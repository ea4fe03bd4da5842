/** The structure of a regular expression, as far as it decides how long matching takes. */
export type Pattern =
  /** Looks whether something is so where it is, and takes nothing. */
  | { readonly type: 'edge' }
  /** One character of a class, as it is written. */
  | { readonly type: 'character'; readonly source: string }
  | { readonly type: 'start' }
  | { readonly type: 'sequence'; readonly parts: readonly Pattern[] }
  | { readonly type: 'choice'; readonly parts: readonly Pattern[] }
  | { readonly type: 'repeat'; readonly part: Pattern; readonly min: number; readonly max: number }
  /** Looks at what follows, or precedes, and takes nothing. */
  | { readonly type: 'look'; readonly part: Pattern }
  /** What a group has matched: no finite machine can tell. */
  | { readonly type: 'backreference' }

const ATOM =
  /\\p\{[^}]*\}|\\P\{[^}]*\}|\\u\{[^}]*\}|\\u[dD][89abAB]..\\u[dD][c-fC-F]..|\\u.{4}|\\x..|\\c.|\\.|\[(?:\\.|[^\]\\])*\]|[^]/uy
const QUANTIFIER = /(?:([*+?])|\{(\d+)(?:(,)(\d*))?\})\??/y
const GROUP = /\((?:\?(?:(<?[=!])|(?:<[^>]*>)|(?:[a-z-]*:)))?/y
const REPEATS: Readonly<Record<string, readonly [number, number]>> = {
  '*': [0, Infinity],
  '+': [1, Infinity],
  '?': [0, 1],
}

/** Of a pattern that is known to be one, with the flag `u`. */
export function parsePattern(source: string): Pattern {
  let at = 0

  function take(expression: RegExp): RegExpExecArray | null {
    expression.lastIndex = at
    const found = expression.exec(source)
    if (found !== null) at = expression.lastIndex
    return found
  }

  function choice(): Pattern {
    const parts = [sequence()]
    while (source[at] === '|') {
      at++
      parts.push(sequence())
    }
    return parts.length === 1 && parts[0] !== undefined ? parts[0] : { type: 'choice', parts }
  }

  function sequence(): Pattern {
    const parts: Pattern[] = []
    while (at < source.length && source[at] !== '|' && source[at] !== ')') parts.push(repeated(term()))
    return { type: 'sequence', parts }
  }

  function term(): Pattern {
    if (source[at] !== '(') return atom(take(ATOM)?.[0] ?? '')
    const look = take(GROUP)?.[1]
    const part = choice()
    at++
    return look === undefined ? part : { type: 'look', part }
  }

  function repeated(part: Pattern): Pattern {
    const found = take(QUANTIFIER)
    if (found === null) return part
    const [, sign, from = '0', isOpen, to = ''] = found
    const [min, max] = (sign === undefined ? undefined : REPEATS[sign]) ?? [
      Number(from),
      isOpen === undefined ? Number(from) : to === '' ? Infinity : Number(to),
    ]
    return { type: 'repeat', part, min, max }
  }

  return choice()
}

function atom(source: string): Pattern {
  if (source === '^') return { type: 'start' }
  if (source === '$' || source === '\\b' || source === '\\B') return { type: 'edge' }
  if (/^\\[1-9k]/.test(source)) return { type: 'backreference' }
  return { type: 'character', source }
}
