import type { ListedItem, SitemapWalk } from './walk-sitemap.js'

/** One entity to be read. */
export interface Chosen {
  readonly walk: SitemapWalk
  readonly item: ListedItem
}

/**
 * Chooses entities: the last and the first of each sitemap, then others at random. The same sitemaps, size and seed
 * give the same sample; `all` gives everything in order.
 */
export function chooseEntities(
  walks: readonly SitemapWalk[],
  size: number | 'all',
  seed: number,
): readonly Chosen[] {
  const all = walks.flatMap((walk) => walk.items.map((item) => ({ walk, item })))
  if (size === 'all' || all.length <= size) return all
  const ends = new Set<number>()
  let start = 0
  for (const { items } of walks) {
    if (items.length > 0) ends.add(start + items.length - 1)
    start += items.length
  }
  start = 0
  for (const { items } of walks) {
    if (items.length > 0) ends.add(start)
    start += items.length
  }
  const rest = shuffledPart(
    all.map((_, index) => index).filter((index) => !ends.has(index)),
    Math.max(0, size - ends.size),
    seed,
  )
  const chosen = [...ends, ...rest].slice(0, size).sort((left, right) => left - right)
  return chosen.flatMap((index) => all[index] ?? [])
}

/** The first `count` of a shuffled list (Fisher and Yates, no further than needed). */
function shuffledPart(list: readonly number[], count: number, seed: number): readonly number[] {
  const random = createRandom(seed)
  const shuffled = [...list]
  const wanted = Math.min(count, shuffled.length)
  for (let index = 0; index < wanted; index++) {
    const other = index + Math.floor(random() * (shuffled.length - index))
    const [left = 0, right = 0] = [shuffled[index], shuffled[other]]
    shuffled[index] = right
    shuffled[other] = left
  }
  return shuffled.slice(0, wanted)
}

/** mulberry32: small, seeded, and good enough to choose a sample. */
function createRandom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
