import type { DefaultTheme } from 'vitepress'

type SearchOptions = NonNullable<NonNullable<DefaultTheme.LocalSearchOptions['miniSearch']>['searchOptions']>

/** How much a page of some path counts, the first that fits; whoever searches mostly wants to get something done. */
const WEIGHTS: readonly (readonly [path: string, weight: number])[] = [
  ['/guides/migrate-', 1],
  ['/guides/', 4],
  ['/concepts/', 2],
  ['/reference/packages/', 2],
  ['/reference/reference-server', 2],
  ['/reference/spec/aadp-0-1', 0.2],
  ['/reference/spec/traceability', 0.2],
  ['/reference/project/', 0.5],
  ['/reference/api/', 0.5],
]

/** Words that are everywhere. */
const STOP_WORDS = new Set([
  'a',
  'an',
  'and',
  'do',
  'for',
  'how',
  'i',
  'in',
  'is',
  'my',
  'of',
  'on',
  'the',
  'to',
  'with',
])

export const searchOptions: SearchOptions = {
  // Half a word is completed, and a slip forgiven, where there is enough of it to know what is meant.
  prefix: (term) => term.length > 2,
  fuzzy: (term) => (term.length > 5 ? 0.2 : false),
  boost: { title: 4, text: 2, titles: 1 },
  boostDocument: (id) => WEIGHTS.find(([path]) => String(id).startsWith(path))?.[1] ?? 1,
  processTerm(term) {
    const word = term.toLowerCase()
    return STOP_WORDS.has(word) ? null : word
  },
}
