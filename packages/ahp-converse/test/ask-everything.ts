import type { Concierge } from '../src/server.js'

const HEADERS = { 'content-type': 'application/json' }
const REQUESTS: readonly (readonly [path: string, init?: RequestInit])[] = [
  ['/.well-known/agent.json'],
  ['/.well-known/agent.json', { method: 'OPTIONS' }],
  ['/llms.txt'],
  ['/llms.txt', { headers: { accept: 'application/agent+json' } }],
  ['/missing'],
  ['/agent/converse'],
  ['/agent/converse', post({ capability: 'help', query: 'How long does a refund take?' })],
  ['/agent/converse', post({ capability: 'help', query: 'How long does a refund take?' })],
  ['/agent/converse', post({ capability: 'later', query: 'Grüße 🫖' })],
  ['/agent/converse', post({ capability: 'members', query: 'refund' })],
  ['/agent/converse', post({ capability: 'members', query: 'refund' }, { authorization: 'Bearer token' })],
  ['/agent/converse', post({ capability: 'nothing', query: 'x' })],
  ['/agent/converse', { method: 'POST', headers: HEADERS, body: '{' }],
  ['/agent/converse', { method: 'POST', headers: HEADERS, body: 'x'.repeat(9000) }],
]

function post(body: object, headers: Readonly<Record<string, string>> = {}): RequestInit {
  return { method: 'POST', headers: { ...HEADERS, ...headers }, body: JSON.stringify(body) }
}

/** What a site answers to requests of every kind, as data that runtimes can be compared by. */
export async function askEverything(site: Concierge): Promise<unknown> {
  const seen: unknown[] = []
  for (const [path, init] of REQUESTS) {
    const connection = { remoteAddress: '192.0.2.1' }
    const response = await site.handleRequest(new Request(`https://shop.test${path}`, init), connection)
    const fields = [...response.headers].sort(([one], [other]) => (one < other ? -1 : 1))
    seen.push([path, response.status, fields, await response.text()])
  }
  return seen
}
