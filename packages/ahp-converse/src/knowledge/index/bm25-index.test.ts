import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Bm25Index } from './bm25-index.js'

type Bag = Readonly<Record<string, number>>

function indexOf(entries: Readonly<Record<string, Bag>>): Bm25Index {
  const index = new Bm25Index()
  for (const [key, bag] of Object.entries(entries)) index.add(key, new Map(Object.entries(bag)))
  return index
}

/** The formula as the textbooks have it, over all entries. */
function scoreByFormula(
  entries: Readonly<Record<string, Bag>>,
  terms: readonly string[],
  key: string,
): number {
  const bags = Object.values(entries)
  const length = (bag: Bag): number => Object.values(bag).reduce((sum, count) => sum + count, 0)
  const average = bags.reduce((sum, bag) => sum + length(bag), 0) / bags.length
  const bag = entries[key] ?? {}
  return terms.reduce((sum, term) => {
    const count = Object.hasOwn(bag, term) ? (bag[term] ?? 0) : 0
    const having = bags.filter((bag) => Object.hasOwn(bag, term)).length
    const idf = Math.log(1 + (bags.length - having + 0.5) / (having + 0.5))
    return sum + (idf * count * 2.2) / (count + 1.2 * (0.25 + (0.75 * length(bag)) / average))
  }, 0)
}

describe('Bm25Index', () => {
  const entries = { a: { x: 1, y: 2 }, b: { x: 3 }, c: { y: 1, z: 4, w: 1 }, d: { constructor: 1 } }

  it('scores as the formula says', () => {
    for (const { key, score } of indexOf(entries).search(['x', 'y'], 10)) {
      expect(score).toBeCloseTo(scoreByFormula(entries, ['x', 'y'], key), 12)
    }
  })

  it('gives the best entries first, as many as asked for, and only those with a term', () => {
    const index = indexOf(entries)
    const all = index.search(['x', 'y'], 10)
    expect(all.map(({ key }) => key).sort()).toEqual(['a', 'b', 'c'])
    expect(all.map(({ score }) => score)).toEqual(all.map(({ score }) => score).sort((a, b) => b - a))
    expect(index.search(['x', 'y'], 2)).toEqual(all.slice(0, 2))
    expect(index.search(['nowhere'], 10)).toEqual([])
    expect(index.search([], 10)).toEqual([])
    expect(new Bm25Index().search(['x'], 10)).toEqual([])
  })

  it('keeps equal entries in the order in which they were added', () => {
    const equal = Object.fromEntries(Array.from({ length: 20 }, (_, number) => [`k${number}`, { x: 1 }]))
    expect(
      indexOf(equal)
        .search(['x'], 5)
        .map(({ key }) => key),
    ).toEqual(['k0', 'k1', 'k2', 'k3', 'k4'])
  })

  it('knows terms that objects inherit as little as others', () => {
    expect(
      indexOf(entries)
        .search(['constructor'], 10)
        .map(({ key }) => key),
    ).toEqual(['d'])
    expect(indexOf(entries).search(['__proto__', 'toString'], 10)).toEqual([])
  })

  it('finds nothing of what was removed or replaced', () => {
    const index = indexOf(entries)
    index.add('a', new Map([['new', 1]]))
    index.remove('b')
    index.remove('never there')
    expect(index.size).toBe(3)
    expect(index.search(['x'], 10)).toEqual([])
    expect(index.search(['new'], 10).map(({ key }) => key)).toEqual(['a'])
  })

  it('is after any changes as if it had been made of what is left', () => {
    const bag = fc.dictionary(fc.constantFrom('x', 'y', 'z'), fc.integer({ min: 1, max: 5 }), { minKeys: 1 })
    const change = fc.record({ key: fc.integer({ min: 0, max: 9 }).map(String), bag: fc.option(bag) })
    fc.assert(
      fc.property(fc.array(change, { maxLength: 400 }), (changes) => {
        const index = new Bm25Index()
        const left = new Map<string, Bag>()
        for (const { key, bag } of changes) {
          left.delete(key)
          if (bag === null) index.remove(key)
          else {
            left.set(key, bag)
            index.add(key, new Map(Object.entries(bag)))
          }
        }
        const fresh = indexOf({})
        for (const [key, bag] of left) fresh.add(key, new Map(Object.entries(bag)))
        const terms = ['x', 'y', 'z']
        const rounded = (index: Bm25Index): unknown =>
          index.search(terms, 20).map(({ key, score }) => [key, score.toFixed(9)])
        expect(rounded(index)).toEqual(rounded(fresh))
        expect(terms.map((term) => index.weigh(term))).toEqual(terms.map((term) => fresh.weigh(term)))
      }),
    )
  })
})
