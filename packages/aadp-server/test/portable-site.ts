import { defineAADP, defineResource } from '../src/index.js'

const POSTS = [
  { slug: 'hello', title: 'Xin chào 🫖', updatedAt: '2026-01-01T00:00:00Z' },
  { slug: 'again', title: 'Again', updatedAt: '2026-01-02T00:00:00Z' },
]

/** The site that every runtime serves in the portability tests; it is bundled, so it imports nothing of a test. */
export default defineAADP({
  baseUrl: 'https://blog.acme.test',
  application: {
    name: 'Blog',
    description: 'Posts.',
    publisher: { name: 'Acme', url: 'https://acme.test/' },
  },
  policies: { robots: 'https://acme.test/robots.txt', terms: 'https://acme.test/terms' },
  lastModified: '2026-01-01T00:00:00Z',
  cursorSecret: 'an example of a secret of 32 chars',
  pageSize: 1,
  upstreamTimeoutMs: 60_000,
  resources: [
    defineResource<(typeof POSTS)[number]>({
      type: 'post',
      locales: ['en', 'vi'],
      list({ cursor, limit }) {
        const start = Number(cursor ?? 0)
        const end = start + limit
        return { items: POSTS.slice(start, end), nextCursor: end < POSTS.length ? String(end) : null }
      },
      get: ({ id }) => POSTS.find(({ slug }) => slug === id),
      identify: ({ slug, updatedAt }) => ({ name: slug, updatedAt }),
      serialize: ({ slug, title, updatedAt }) => ({ id: `post:${slug}`, updatedAt, data: { title } }),
      markdown: ({ title }) => `# ${title}\n`,
    }),
  ],
})
