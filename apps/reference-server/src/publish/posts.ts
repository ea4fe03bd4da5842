import { defineResource, type Resource } from '@doorplate/aadp-server'
import { entityIdOf } from '../routes.js'
import { pageAfter } from './page-after.js'

/** The default first. */
export const LOCALES = ['en', 'de'] as const
type Locale = (typeof LOCALES)[number]

interface Post {
  readonly slug: string
  readonly updatedAt: string
  readonly texts: Readonly<Record<Locale, { readonly title: string; readonly text: string }>>
}

/** By slug. */
const POSTS: readonly Post[] = [
  {
    slug: 'find-read-ask',
    updatedAt: '2026-01-20T08:00:00Z',
    texts: {
      en: {
        title: 'Find, read, ask',
        text: 'An agent first has to learn that a site has something for it. Then it wants the facts, and a way to know that they arrived whole. What is not written down anywhere it has to ask for. This site answers all three, from one declaration.',
      },
      de: {
        title: 'Finden, lesen, fragen',
        text: 'Ein Agent muss zuerst erfahren, dass eine Website etwas für ihn hat. Dann will er die Tatsachen, und einen Weg, zu wissen, dass sie heil angekommen sind. Was nirgends steht, muss er fragen. Diese Website beantwortet alle drei, aus einer Deklaration.',
      },
    },
  },
  {
    slug: 'why-checksums',
    updatedAt: '2026-02-02T08:00:00Z',
    texts: {
      en: {
        title: 'Why every document has a checksum',
        text: 'A checksum over the canonical form of the data says whether a copy is the copy. A mirror compares two short texts instead of two long ones, and asks for nothing that has not changed.',
      },
      de: {
        title: 'Warum jedes Dokument eine Prüfsumme hat',
        text: 'Eine Prüfsumme über die kanonische Form der Daten sagt, ob eine Kopie die Kopie ist. Ein Spiegel vergleicht zwei kurze Texte statt zweier langer und fragt nach nichts, was sich nicht geändert hat.',
      },
    },
  },
]

interface NewestPost {
  readonly slug: string
  readonly title: string
  /** Its first sentence. */
  readonly summary: string
  readonly publishedAt: string
}

/** The newest first, in the language that is asked for if there is one of it. */
export function newestPosts(locale: string = LOCALES[0]): readonly NewestPost[] {
  return POSTS.map(({ slug, updatedAt, texts }) => {
    const { title, text } = texts[locale.toLowerCase().startsWith('de') ? 'de' : 'en']
    return { slug, title, summary: text.replace(/(?<=\.)\s.*$/s, ''), publishedAt: updatedAt }
  }).sort((a, b) => (a.publishedAt < b.publishedAt ? 1 : -1))
}

/** News of the house, in two languages. */
export const postResource: Resource<Post> = defineResource<Post>({
  type: 'post',
  mediaTypes: ['text'],
  locales: LOCALES,
  count: POSTS.length,
  list: (page) => pageAfter(POSTS, ({ slug }) => slug, page),
  get: ({ id }) => POSTS.find(({ slug }) => slug === id),
  identify: ({ slug, updatedAt }) => ({ name: slug, updatedAt }),
  serialize: ({ slug, updatedAt, texts }, { locale }) => ({
    id: entityIdOf({ type: 'post', slug }),
    updatedAt,
    data: texts[locale === 'de' ? 'de' : 'en'],
  }),
  markdown: ({ texts }, { locale }) => {
    const { title, text } = texts[locale === 'de' ? 'de' : 'en']
    return `# ${title}\n\n${text}\n`
  },
})
