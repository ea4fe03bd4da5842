/** Whether some character belongs to both of two classes, as they are written. */
export type CharacterOverlap = (one: string, other: string) => boolean

const LATIN_1 = 0x100
/** Where the classes of `\p` differ: the basic plane, and the pictures. */
const WIDE: readonly (readonly [number, number])[] = [
  [0, 0x10000],
  [0x1f000, 0x1fb00],
]

/** Judged by the characters that the classes name, those beside them, and where they say `\p`, all that are in use. */
export function createCharacterOverlap(sources: readonly string[]): CharacterOverlap {
  const samples = samplesOf(sources.join(''))
  const members = new Map<string, ReadonlySet<number>>()
  const known = new Map<string, boolean>()

  function membersOf(source: string): ReadonlySet<number> {
    const expression = new RegExp(`^${source}$`, 'su')
    const found =
      members.get(source) ?? new Set(samples.filter((code) => expression.test(String.fromCodePoint(code))))
    members.set(source, found)
    return found
  }

  return function overlap(one, other) {
    if (one === other) return true
    const key = JSON.stringify([one, other])
    const answer = known.get(key) ?? [...membersOf(one)].some((code) => membersOf(other).has(code))
    known.set(key, answer)
    return answer
  }
}

function samplesOf(text: string): readonly number[] {
  const codes = new Set<number>()
  const ranges = /\\p\{/iu.test(text) ? WIDE : [[0, LATIN_1] as const]
  for (const [from, to] of ranges) for (let code = from; code < to; code++) codes.add(code)
  for (const named of namedIn(text)) for (const code of [named - 1, named, named + 1]) codes.add(code)
  return [...codes].filter((code) => code >= 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff))
}

function namedIn(text: string): readonly number[] {
  const escaped = [...text.matchAll(/\\u\{([0-9a-f]+)\}|\\u([0-9a-f]{4})/giu)]
  return [
    ...escaped.map(([, long = '', short = '']) => Number.parseInt(long + short, 16)),
    ...Array.from(text, (character) => character.codePointAt(0) ?? 0),
  ]
}
