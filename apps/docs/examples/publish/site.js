// site.js
import { createCollection, defineAADP, defineResource } from '@doorplate/aadp-server'

const origin = 'http://localhost:3000' // your public origin, once you have one

const reviews = createCollection(
  [
    { slug: 'dune', title: 'Dune', text: 'Sand, worms, politics.', changed: '2026-01-05T09:00:00Z' },
    { slug: 'emma', title: 'Emma', text: 'A matchmaker errs.', changed: '2026-02-01T12:00:00Z' },
  ],
  { name: ({ slug }) => slug },
)

const book = defineResource({
  type: 'book',
  list: reviews.list,
  get: reviews.get,
  count: reviews.count,
  identify: ({ slug, changed }) => ({ name: slug, updatedAt: changed }),
  serialize: ({ slug, title, text, changed }) => ({
    id: `book:${slug}`,
    updatedAt: changed,
    data: { title, text },
  }),
  markdown: ({ title, text }) => `# ${title}\n\n${text}\n`,
})

export const aadp = defineAADP({
  baseUrl: origin,
  resources: [book],
  policies: { robots: `${origin}/robots.txt`, terms: `${origin}/terms` },
  application: {
    name: 'The Book Shelf',
    description: 'Reviews of novels.',
    publisher: { name: 'Shelf Press', url: `${origin}/about` },
  },
})
