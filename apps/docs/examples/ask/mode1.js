import { defineManifest, llmsTxt, withAhpDiscovery } from '@doorplate/ahp-manifest'

const manifest = defineManifest({
  name: 'The Book Shelf',
  description: 'Reviews of novels, written by readers.',
  endpoints: { content: '/llms.txt' },
  rate_limits: { unauthenticated: { requests: '120/minute' } },
  content_signals: { ai_train: false, ai_input: true, search: true, attribution_required: true },
})
const content = llmsTxt(manifest, {
  sections: [{ title: 'Reviews', links: [{ title: 'Dune', url: '/reviews/dune' }] }],
})

/** What there is, by its path. */
const pages = new Map([
  ['/', '<!doctype html><title>The Book Shelf</title><h1>Reviews</h1><a href="/reviews/dune">Dune</a>'],
  ['/reviews/dune', '<!doctype html><title>Dune</title><h1>Dune</h1><p>Sand, worms, politics.'],
])

/** @param {Request} request */
function answer(request) {
  const { pathname } = new URL(request.url)
  if (pathname === '/llms.txt') return new Response(content, { headers: { 'content-type': 'text/markdown' } })
  return new Response(pages.get(pathname) ?? '<!doctype html><title>Not here</title><h1>Not here</h1>', {
    status: pages.has(pathname) ? 200 : 404,
    headers: { 'content-type': 'text/html; charset=utf-8' },
  })
}

export const site = withAhpDiscovery(answer, manifest)
