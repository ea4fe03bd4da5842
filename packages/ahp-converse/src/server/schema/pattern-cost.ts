import { type CharacterOverlap, createCharacterOverlap } from './character-overlap.js'
import { type Pattern, parsePattern } from './parse-pattern.js'
import { createPatternMachine, type PatternMachine } from './pattern-machine.js'

/** Of the time that matching takes with the length of the text: the exponent of a power, or worse than any. */
export type PatternCost = number | 'exponential'

type Graph = readonly (readonly number[])[]

/** Beyond these nobody waits for the judgement. */
const MAX_STATES = 200_000
const ANYTHING: Pattern = {
  type: 'repeat',
  part: { type: 'character', source: '[^]' },
  min: 0,
  max: Infinity,
}

/**
 * How long a backtracking matcher takes at worst, judged without running it: it takes exponential time where a loop can take one
 * text in two ways, and a power where loops after each other can share one (Weideman et al., Analyzing Matching Time
 * Behavior of Backtracking Regular Expression Matchers, 2016). It errs on the side of too much.
 */
export function patternCost(source: string): PatternCost {
  return costOf(parsePattern(source), true)
}

function costOf(pattern: Pattern, isSearch: boolean): PatternCost {
  const searched = isSearch && !isAnchored(pattern)
  const machine = createPatternMachine(searched ? { type: 'sequence', parts: [ANYTHING, pattern] } : pattern)
  if (machine.hasBackreference) return 'exponential'
  const looks = machine.looks.map(({ part, isRepeated }) => {
    const cost = costOf(part, false)
    return cost === 'exponential' ? Infinity : cost + Number(isRepeated || searched)
  })
  const costs = [machineCost(machine), ...looks]
  const highest = Math.max(...costs)
  return highest === Infinity ? 'exponential' : highest
}

function machineCost({ sources, next, complete }: PatternMachine): number {
  const overlap = createCharacterOverlap(sources)
  // A loop after any step of which the match is complete is never gone back over.
  const loops = loopsIn(next).filter((loop) => !loop.every((at) => complete.has(at)))
  if (loops.some((loop) => isAmbiguous(loop, { sources, next }, overlap))) return Infinity
  return longestChain(loops.length, (one, other) =>
    canShare(loops[one] ?? [], loops[other] ?? [], { sources, next }, overlap),
  )
}

function isAnchored(pattern: Pattern): boolean {
  if (pattern.type === 'choice') return pattern.parts.every(isAnchored)
  if (pattern.type === 'sequence') return pattern.parts[0] !== undefined && isAnchored(pattern.parts[0])
  return pattern.type === 'start'
}

/** The strongly connected parts that have a way round (Tarjan); those that are reached last come first. */
function loopsIn(next: Graph): readonly (readonly number[])[] {
  const reach = next.map((_, from) => reachable([from], (at) => next[at] ?? []))
  const seen = new Set<number>()
  return next.flatMap((_, at) => {
    if (seen.has(at) || reach[at]?.has(at) !== true) return []
    const loop = [...reach[at]].filter((other) => reach[other]?.has(at) === true)
    for (const one of loop) seen.add(one)
    return [loop]
  })
}

/** Everything after the first step. */
function reachable(from: readonly number[], next: (at: number) => Iterable<number>): Set<number> {
  const found = new Set<number>()
  const open = [...from]
  for (let at = open.pop(); at !== undefined; at = open.pop())
    for (const one of next(at)) {
      if (found.has(one)) continue
      found.add(one)
      open.push(one)
    }
  return found
}

type Shape = Pick<PatternMachine, 'sources' | 'next'>

/** Whether the loop can take some text in two ways: two walks part, and meet again. */
function isAmbiguous(loop: readonly number[], { sources, next }: Shape, overlap: CharacterOverlap): boolean {
  const within = new Set(loop)
  const inside = (at: number): readonly number[] => (next[at] ?? []).filter((to) => within.has(to))
  if (loop.some((at) => new Set(inside(at)).size < inside(at).length)) return true
  if (loop.length ** 2 > MAX_STATES) return true
  const count = next.length
  const pairs = new Map<number, number[]>()
  const back = new Map<number, number[]>()
  for (const one of loop)
    for (const other of loop) {
      const to = inside(one).flatMap((a) =>
        inside(other)
          .filter((b) => overlap(sources[a] ?? '', sources[b] ?? ''))
          .map((b) => a * count + b),
      )
      pairs.set(one * count + other, to)
      for (const pair of to) back.set(pair, [...(back.get(pair) ?? []), one * count + other])
    }
  const same = loop.map((at) => at * (count + 1))
  const parted = reachable(same, (pair) => pairs.get(pair) ?? [])
  const meeting = reachable(same, (pair) => back.get(pair) ?? [])
  return [...parted].some((pair) => pair % (count + 1) !== 0 && meeting.has(pair))
}

/** Whether some text can be taken by the first loop, by the second, and on the way from one to the other. */
function canShare(
  first: readonly number[],
  second: readonly number[],
  { sources, next }: Shape,
  overlap: CharacterOverlap,
): boolean {
  const count = next.length
  const [inFirst, inSecond] = [new Set(first), new Set(second)]
  const isReached = reachable(first, (at) => next[at] ?? [])
  if (!second.some((at) => isReached.has(at))) return false
  if ((first.length * second.length) ** 2 * count > MAX_STATES) return true
  const stepsFrom = (state: number): number[] => {
    const [a, x, b] = [Math.floor(state / count ** 2), Math.floor(state / count) % count, state % count]
    return (next[a] ?? [])
      .filter((to) => inFirst.has(to))
      .flatMap((toA) =>
        (next[x] ?? [])
          .filter((to) => overlap(sources[toA] ?? '', sources[to] ?? ''))
          .flatMap((toX) =>
            (next[b] ?? [])
              .filter((to) => inSecond.has(to) && allMeet(toA, toX, to))
              .map((toB) => (toA * count + toX) * count + toB),
          ),
      )
  }
  function allMeet(...positions: readonly number[]): boolean {
    return positions.every((one) =>
      positions.every((other) => overlap(sources[one] ?? '', sources[other] ?? '')),
    )
  }
  return first.some((a) =>
    second.some((b) => {
      const [start, end] = [(a * count + a) * count + b, (a * count + b) * count + b]
      return reachable([start], stepsFrom).has(end)
    }),
  )
}

/** The most that come one after the other; 1 at least, since the text is read once. */
function longestChain(count: number, follows: (one: number, other: number) => boolean): number {
  const lengths = new Map<number, number>()
  function lengthFrom(one: number): number {
    const known = lengths.get(one)
    if (known !== undefined) return known
    let longest = 1
    for (let other = 0; other < count; other++)
      if (other !== one && follows(one, other)) longest = Math.max(longest, 1 + lengthFrom(other))
    lengths.set(one, longest)
    return longest
  }
  return Math.max(1, ...Array.from({ length: count }, (_, one) => lengthFrom(one)))
}
