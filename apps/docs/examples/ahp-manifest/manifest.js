import { checkManifestSemantics, defineManifest, llmsTxt, withAhpDiscovery } from '@doorplate/ahp-manifest'

const manifest = defineManifest({
  name: 'The Book Shelf',
  description: 'Reviews of novels, written by readers.',
  endpoints: { content: '/llms.txt' },
  rate_limits: { unauthenticated: { requests: '120/minute' } },
  content_signals: { ai_train: false, ai_input: true, search: true, attribution_required: true },
})
console.log(manifest.modes, checkManifestSemantics(manifest))

const content = llmsTxt(manifest, {
  sections: [{ title: 'Reviews', links: [{ title: 'Dune', url: '/reviews/dune' }] }],
})

const site = withAhpDiscovery((request) => {
  if (new URL(request.url).pathname === '/llms.txt')
    return new Response(content, { headers: { 'content-type': 'text/markdown' } })
  return new Response('<!doctype html><body><h1>Reviews</h1></body>', {
    headers: { 'content-type': 'text/html' },
  })
}, manifest)

const page = await site(new Request('https://books.test/'))
console.log(page.headers.get('link'))
console.log((await page.text()).includes('aria-label="AI Agent Notice"'))

const found = await site(
  new Request('https://books.test/', { headers: { accept: 'application/agent+json' } }),
)
console.log((await found.json()).name)
