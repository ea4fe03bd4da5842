import { createServer } from 'node:http'
import { defineAADP, defineResource } from '@doorplate/aadp-server'
import { toNodeListener } from '@doorplate/aadp-server/node'

const books = [{ slug: 'dune', title: 'Dune', updatedAt: '2026-01-05T09:00:00Z' }]
const origin = 'http://127.0.0.1:8080'

const server = defineAADP({
  baseUrl: origin,
  application: {
    name: 'The Book Shelf',
    description: 'Reviews of novels.',
    publisher: { name: 'Shelf Press', url: `${origin}/about` },
  },
  policies: { robots: `${origin}/robots.txt`, terms: `${origin}/terms` },
  resources: [
    defineResource({
      type: 'book',
      list: () => ({ items: books, nextCursor: null }),
      get: ({ id }) => books.find(({ slug }) => slug === id),
      serialize: ({ slug, title, updatedAt }) => ({ id: `book:${slug}`, updatedAt, data: { title } }),
    }),
  ],
})
createServer(toNodeListener(server)).listen(8080, '127.0.0.1')
