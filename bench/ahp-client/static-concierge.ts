import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Started as a process of its own: a concierge with one ready answer, which it gives as fast as node:http can. */

const signals = { ai_train: false, ai_input: true, search: true, attribution_required: true }

const manifest = Buffer.from(
  JSON.stringify({
    ahp: '0.1',
    modes: ['MODE1', 'MODE2'],
    endpoints: { converse: '/agent/converse', content: '/llms.txt' },
    capabilities: [{ name: 'search', description: 'Finds reviews.', mode: 'MODE2' }],
    content_signals: signals,
  }),
)

const answer = Buffer.from(
  JSON.stringify({
    status: 'success',
    session_id: '0b2c1c1e-4c1f-4a1e-9d2e-0d3f5b6a7c8d',
    progress: null,
    response: {
      content_type: 'text/answer',
      answer:
        'Three reviews mention sandworms. The longest one compares them with the whales of an older novel. '.repeat(
          6,
        ),
      sources: Array.from({ length: 3 }, (_, index) => ({
        title: `Review number ${String(index)}`,
        url: `/reviews/${String(index)}#worms`,
        relevance: 'direct',
      })),
      follow_up: { suggested_queries: ['Who wrote them?', 'Which is the newest?'] },
    },
    meta: {
      tokens_used: 180,
      capability_used: 'search',
      mode: 'MODE2',
      cached: true,
      content_signals: signals,
    },
  }),
)

const server = createServer((request, response) => {
  const body = request.method === 'POST' ? answer : manifest
  request.resume()
  request.on('end', () => {
    response.writeHead(200, {
      'content-type': 'application/json',
      'content-length': body.byteLength,
      'x-ratelimit-limit': '30',
      'x-ratelimit-remaining': '29',
      'x-ratelimit-reset': '1767225660',
      'x-ratelimit-window': '60',
    })
    response.end(body)
  })
})
server.keepAliveTimeout = 60_000
server.listen(0, '127.0.0.1', () => {
  process.send?.(`http://127.0.0.1:${String((server.address() as AddressInfo).port)}`)
})
process.once('disconnect', () => process.exit())
