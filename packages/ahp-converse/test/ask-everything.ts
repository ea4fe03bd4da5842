import type { Concierge } from '../src/server.js'

const CLIENT = { name: 'test', version: '1' }
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
  ['/openapi.json'],
  ['/capabilities/help', post({ query: 'How long does a refund take?' })],
  ['/capabilities/members', post({ query: 'refund' })],
  ['/mcp', rpc('initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: CLIENT })],
  ['/mcp', rpc('tools/list', {})],
  ['/mcp', rpc('tools/call', { name: 'help', arguments: { query: 'How long does a refund take?' } })],
  ['/mcp', rpc('tools/call', { name: 'members', arguments: { query: 'refund' } })],
  ['/mcp', rpc('resources/read', { uri: 'https://shop.test/llms.txt' })],
  ['/mcp', rpc('no/such', {})],
  ['/mcp', enveloped('tools/list', {})],
  ['/mcp', enveloped('tools/call', { name: 'later', arguments: { query: 'Grüße 🫖' } })],
]

function rpc(method: string, params: object, headers: Readonly<Record<string, string>> = {}): RequestInit {
  return post({ jsonrpc: '2.0', id: 1, method, params }, headers)
}

/** As the revision 2026-07-28 sends it. */
function enveloped(
  method: string,
  params: { readonly name?: string; readonly arguments?: object },
): RequestInit {
  const name = 'io.modelcontextprotocol/'
  const meta = {
    [`${name}protocolVersion`]: '2026-07-28',
    [`${name}clientInfo`]: CLIENT,
    [`${name}clientCapabilities`]: {},
  }
  const fields = {
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': method,
    ...(params.name === undefined ? {} : { 'mcp-name': params.name }),
  }
  return rpc(method, { ...params, _meta: meta }, fields)
}

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
