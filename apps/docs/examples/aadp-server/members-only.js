import { createCollection, defineAADP, defineResource, unauthorized } from '@doorplate/aadp-server'

const origin = 'https://books.example'
const drafts = createCollection([{ slug: 'emma', updatedAt: '2026-02-01T12:00:00Z' }], {
  name: ({ slug }) => slug,
})

/** @param {Request | undefined} request */
function requireMember(request) {
  const key = process.env.MEMBERS_KEY
  if (!key || request?.headers.get('x-members-key') !== key)
    throw unauthorized('A key of a member is needed.')
}

const draft = defineResource({
  type: 'draft',
  security: 'members', // the name of one of securitySchemes
  list(args) {
    requireMember(args.request)
    return drafts.list(args)
  },
  get(args) {
    requireMember(args.request)
    return drafts.get(args)
  },
  serialize: ({ slug, updatedAt }) => ({ id: `draft:${slug}`, updatedAt, data: { slug } }),
})

export const aadp = defineAADP({
  baseUrl: origin,
  application: {
    name: 'The Book Shelf',
    description: 'Reviews of novels.',
    publisher: { name: 'Shelf Press', url: `${origin}/about` },
  },
  policies: { robots: `${origin}/robots.txt`, terms: `${origin}/terms` },
  securitySchemes: { members: { type: 'api_key', in: 'header', name: 'X-Members-Key' } },
  resources: [draft],
})
