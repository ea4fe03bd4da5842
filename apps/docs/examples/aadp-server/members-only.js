import { createCollection, defineAADP, defineResource, unauthorized } from '@doorplate/aadp-server'

const origin = 'https://books.example'
const drafts = createCollection([{ slug: 'emma', updatedAt: '2026-02-01T12:00:00Z' }], {
  name: ({ slug }) => slug,
})

// #region security
/** @param {Request | undefined} request */
function requireMember(request) {
  const key = process.env.MEMBERS_KEY
  if (!key || request?.headers.get('x-members-key') !== key) throw unauthorized('A key of a member is needed.')
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
  // #endregion security
  serialize: ({ slug, updatedAt }) => ({ id: `draft:${slug}`, updatedAt, data: { slug } }),
  // #region security
})

export const aadp = defineAADP({
  // #endregion security
  baseUrl: origin,
  application: {
    name: 'The Book Shelf',
    description: 'Reviews of novels.',
    publisher: { name: 'Shelf Press', url: `${origin}/about` },
  },
  policies: { robots: `${origin}/robots.txt`, terms: `${origin}/terms` },
  // #region security
  securitySchemes: { members: { type: 'api_key', in: 'header', name: 'X-Members-Key' } },
  resources: [draft],
})
// #endregion security
