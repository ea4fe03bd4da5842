import { createCollection, defineAADP, defineResource } from '@doorplate/aadp-server'
import { toNodeListener } from '@doorplate/aadp-server/node'
import { startServer } from '@internal/loopback'

/** A small AADP site whose documents lead to itself. */
export async function startBookSite(): Promise<{ readonly origin: string } & AsyncDisposable> {
  const documents: ReturnType<typeof toNodeListener>[] = []
  const server = await startServer((request, response) => {
    for (const listener of documents) listener(request, response, () => response.end('A page of the shop'))
  })
  const { origin } = server
  const books = createCollection(
    ['dune', 'emma'].map((slug) => ({ slug, updatedAt: '2026-01-05T09:00:00Z' })),
    { name: ({ slug }) => slug },
  )
  const url = (path: string): string => new URL(path, origin).href
  documents.push(
    toNodeListener(
      defineAADP({
        baseUrl: origin,
        application: {
          name: 'The Book Shelf',
          description: 'Reviews of novels.',
          publisher: { name: 'Shelf Press', url: url('/about') },
        },
        policies: { robots: url('/robots.txt'), terms: url('/terms') },
        resources: [
          defineResource<{ slug: string; updatedAt: string }>({
            type: 'book',
            list: books.list,
            get: books.get,
            count: books.count,
            serialize: ({ slug, updatedAt }) => ({ id: `book:${slug}`, updatedAt, data: { title: slug } }),
          }),
        ],
      }),
    ),
  )
  return { origin, [Symbol.asyncDispose]: () => server.close() }
}
