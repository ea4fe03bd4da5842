import type { Pattern } from './parse-pattern.js'

/** The characters of a pattern and in which order they can be taken (Glushkov's automaton). */
export interface PatternMachine {
  /** The class of each, as it is written. */
  readonly sources: readonly string[]
  /** Which can come after each; twice where there are two ways to get there. */
  readonly next: readonly (readonly number[])[]
  /** After which of them a match is complete, whatever follows. */
  readonly complete: ReadonlySet<number>
  /** What is looked at on the way, and whether that is done over and over. */
  readonly looks: readonly { readonly part: Pattern; readonly isRepeated: boolean }[]
  readonly hasBackreference: boolean
}

interface Piece {
  readonly isNullable: boolean
  /** Whether it can be passed without a look that may fail. */
  readonly isFree: boolean
  readonly first: readonly number[]
  readonly last: readonly number[]
  readonly complete: readonly number[]
}

/** More than these are a loop like any other. */
const MAX_COPIES = 16
const MAX_CHARACTERS = 512
const NOTHING: Piece = { isNullable: true, isFree: true, first: [], last: [], complete: [] }

export function createPatternMachine(pattern: Pattern): PatternMachine {
  const sources: string[] = []
  const next: number[][] = []
  const looks: { readonly part: Pattern; readonly isRepeated: boolean }[] = []
  let hasBackreference = false
  const { complete } = pieceOf(pattern, false)
  return { sources, next, complete: new Set(complete), looks, hasBackreference }

  function pieceOf(part: Pattern, isRepeated: boolean): Piece {
    switch (part.type) {
      case 'character': {
        const at = sources.push(part.source) - 1
        next.push([])
        return { isNullable: false, isFree: false, first: [at], last: [at], complete: [at] }
      }
      case 'sequence':
        return part.parts.map((one) => pieceOf(one, isRepeated)).reduce(joined, NOTHING)
      case 'choice':
        return part.parts.map((one) => pieceOf(one, isRepeated)).reduce(eitherOf)
      case 'repeat':
        return repeated(part)
      case 'look':
        looks.push({ part: part.part, isRepeated })
        return { ...NOTHING, isFree: false }
      case 'backreference':
        hasBackreference = true
        return { ...NOTHING, isFree: false }
      case 'start':
      case 'edge':
        return { ...NOTHING, isFree: false }
    }
  }

  function repeated({ part, min, max }: Extract<Pattern, { type: 'repeat' }>): Piece {
    if (max === 0) return NOTHING
    const isLoop = max > MAX_COPIES || sources.length > MAX_CHARACTERS
    if (isLoop) {
      const piece = pieceOf(part, true)
      link(piece.last, piece.first)
      // Of many turns some can be left out, and it matters which.
      if (max < Infinity && piece.isNullable) link(piece.last, piece.first)
      return min === 0 ? { ...piece, isNullable: true, isFree: true } : piece
    }
    const copies = Array.from({ length: max }, (_, index) => {
      const piece = pieceOf(part, max > 1)
      return { ...piece, isNullable: piece.isNullable || index >= min, isFree: piece.isFree || index >= min }
    })
    return copies.reduce(joined, NOTHING)
  }

  function joined(before: Piece, after: Piece): Piece {
    link(before.last, after.first)
    return {
      isNullable: before.isNullable && after.isNullable,
      isFree: before.isFree && after.isFree,
      first: before.isNullable ? [...before.first, ...after.first] : before.first,
      last: after.isNullable ? [...before.last, ...after.last] : after.last,
      complete: after.isFree ? [...before.complete, ...after.complete] : after.complete,
    }
  }

  function link(from: readonly number[], to: readonly number[]): void {
    for (const one of from) next[one]?.push(...to)
  }
}

function eitherOf(one: Piece, other: Piece): Piece {
  return {
    isNullable: one.isNullable || other.isNullable,
    isFree: one.isFree || other.isFree,
    first: [...one.first, ...other.first],
    last: [...one.last, ...other.last],
    complete: [...one.complete, ...other.complete],
  }
}
