import { defineAADP, defineResource } from '@doorplate/aadp-server'

export async function smoke(): Promise<boolean> {
  const books = defineResource<{ slug: string }>({
    type: 'book',
    list: () => ({ items: [{ slug: 'dune' }], nextCursor: null }),
    get: ({ id }) => ({ slug: id }),
    serialize: ({ slug }) => ({ id: `book:${slug}`, updatedAt: new Date(0), data: { slug } }),
  })
  const server = defineAADP({
    baseUrl: 'https://books.test',
    application: {
      name: 'Books',
      description: 'Books.',
      publisher: { name: 'Press', url: 'https://books.test/' },
    },
    policies: { robots: 'https://books.test/robots.txt', terms: 'https://books.test/terms' },
    resources: [books],
  })
  const response = await server.handleRequest(new Request('https://books.test/.well-known/ai-manifest.json'))
  return response.status === 200
}
