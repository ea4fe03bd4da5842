import { describe, expect, it } from 'vitest'
import { staysFull, type ToldLimit } from './told-limit.js'

const LIMIT = { kind: '60 in 60', limit: 60, windowSeconds: 60 }

/** What is told at times in seconds. */
function told(...answers: readonly (readonly [number, number])[]): readonly ToldLimit[] {
  return answers.map(([atSeconds, remaining]) => ({ ...LIMIT, atMs: atSeconds * 1_000, remaining }))
}

describe('what is left of a limit', () => {
  it.each([
    ['it falls', told([0, 59], [0, 58]), false],
    ['it falls once, though a new window begins', told([0, 59], [0, 58], [1, 59], [1, 59], [1, 59]), false],
    ['it stays', told([0, 59], [0, 59], [0, 59], [0, 59]), true],
    ['it stays at nothing', told([0, 0], [0, 0], [0, 0], [0, 0]), true],
    ['it rises', told([0, 1], [0, 2], [0, 3], [0, 4]), true],
    ['it is refilled as fast as it is used', told([0, 59], [1, 59], [2, 59], [3, 59], [4, 59]), undefined],
    ['a window lies between any two', told([0, 59], [60, 59], [120, 59], [180, 59]), undefined],
    ['too little is seen', told([0, 59], [0, 59], [0, 59]), undefined],
    ['nothing is seen', told(), undefined],
  ])('%s', (_, answers, expected) => {
    expect(staysFull(answers)).toBe(expected)
  })
})
