// site.mjs
import { createCollection, defineAADP, defineResource } from '@doorplate/aadp-server'

const posts = createCollection(
  [{ slug: 'hello', title: 'Hello', text: 'First post.', updatedAt: '2026-01-01T00:00:00Z' }],
  { name: (post) => post.slug },
)

export const aadp = defineAADP({
  baseUrl: 'http://localhost:3000',
  application: {
    name: 'My blog',
    description: 'Notes about tea.',
    publisher: { name: 'Me', url: 'http://localhost:3000/about' },
  },
  policies: { robots: 'http://localhost:3000/robots.txt', terms: 'http://localhost:3000/terms' },
  resources: [
    defineResource({
      type: 'post',
      ...posts,
      identify: (post) => ({ name: post.slug, updatedAt: post.updatedAt }),
      serialize: (post) => ({
        id: `post:${post.slug}`,
        updatedAt: post.updatedAt,
        data: { title: post.title, text: post.text },
      }),
    }),
  ],
})
