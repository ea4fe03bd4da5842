import type { KnowledgeDocument } from '@doorplate/ahp-converse/knowledge'

const DOCUMENTS = 100
const SECTIONS = 10
const SENTENCES = 8
const WORDS = 12
const VOCABULARY = 4000
const SYLLABLES = [
  'ba',
  'den',
  'for',
  'gil',
  'hom',
  'ka',
  'lor',
  'mi',
  'nes',
  'pol',
  'ra',
  'sen',
  'tu',
  'vin',
  'wer',
  'zo',
]

/** The word of a rank; the most frequent is the shortest. */
export function wordAt(rank: number): string {
  let word = ''
  for (let rest = rank + SYLLABLES.length; rest > 0; rest = Math.floor(rest / SYLLABLES.length))
    word += SYLLABLES[rest % SYLLABLES.length] ?? ''
  return word
}

/** A thousand sections of made-up prose, with words as frequent as Zipf's law has them; always the same. */
export function* thousandPassages(): Generator<KnowledgeDocument> {
  const random = createRandom(1)
  const word = (): string => wordAt(Math.floor(VOCABULARY ** random()) - 1)
  const words = (count: number): string => Array.from({ length: count }, word).join(' ')
  const sentence = (): string => `${capitalised(words(WORDS))}.`
  for (let number = 0; number < DOCUMENTS; number++) {
    const sections = Array.from({ length: SECTIONS }, () => {
      const text = Array.from({ length: SENTENCES }, sentence).join(' ')
      return `## ${capitalised(words(3))}\n\n${text}`
    })
    yield { url: `/documents/${number}`, content: `# ${capitalised(words(3))}\n\n${sections.join('\n\n')}\n` }
  }
}

function capitalised(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1)
}

/** Numbers from 0 to 1 (mulberry32). */
export function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
