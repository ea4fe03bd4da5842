// site.js
import { createCollection, defineAADP, defineResource } from '@doorplate/aadp-server'

const books = createCollection(
  [
    { slug: 'dune', title: 'Dune', review: 'Sand, worms, politics.', updatedAt: '2026-01-05T09:00:00Z' },
    { slug: 'emma', title: 'Emma', review: 'A matchmaker errs.', updatedAt: '2026-02-01T12:00:00Z' },
  ],
  { name: (book) => book.slug },
)

export const aadp = defineAADP({
  baseUrl: 'http://localhost:3000', // your public origin, once you have one
  application: {
    name: 'The Book Shelf',
    description: 'Reviews of novels.',
    publisher: { name: 'Shelf Press', url: 'http://localhost:3000/about' },
  },
  policies: { robots: 'http://localhost:3000/robots.txt', terms: 'http://localhost:3000/terms' },
  resources: [
    defineResource({
      type: 'book',
      list: books.list,
      get: books.get,
      count: books.count,
      identify: (book) => ({ name: book.slug, updatedAt: book.updatedAt }),
      serialize: (book) => ({
        id: `book:${book.slug}`,
        updatedAt: book.updatedAt,
        data: { title: book.title, review: book.review },
      }),
    }),
  ],
})
