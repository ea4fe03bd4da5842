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

/** @param {Request} request */
function pages(request) {
  const isContent = new URL(request.url).pathname === '/llms.txt'
  return new Response(isContent ? content : '<!doctype html><h1>Reviews</h1>', {
    headers: { 'content-type': isContent ? 'text/markdown' : 'text/html' },
  })
}

export const site = withAhpDiscovery(pages, manifest)
