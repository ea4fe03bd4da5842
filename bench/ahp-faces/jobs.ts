interface Job {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

const HOST = { host: 'books.example' }
const JSON_BODY = { ...HOST, 'content-type': 'application/json' }
const query = 'Which edition of the novel has the map of the valley?'
const ENVELOPE = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1.0' },
  'io.modelcontextprotocol/clientCapabilities': {},
}
const call = { name: 'kept', arguments: { query } }

/** What is asked of every contender, by its title. */
export const JOBS: Readonly<Record<string, Job>> = {
  'tools/list': rpc('tools/list'),
  'tools/call, kept answer': rpc('tools/call', call),
  'tools/list, 2026-07-28': rpc('tools/list', { _meta: ENVELOPE }, { 'mcp-method': 'tools/list' }),
  'tools/call, kept answer, 2026-07-28': rpc(
    'tools/call',
    { ...call, _meta: ENVELOPE },
    { 'mcp-method': 'tools/call', 'mcp-name': 'kept' },
  ),
  'POST /capabilities/kept': {
    method: 'POST',
    path: '/capabilities/kept',
    headers: JSON_BODY,
    body: JSON.stringify({ query }),
  },
  converse: {
    method: 'POST',
    path: '/agent/converse',
    headers: JSON_BODY,
    body: JSON.stringify({ ahp: '0.1', capability: 'kept', query }),
  },
  'openapi.json': { method: 'GET', path: '/openapi.json', headers: HOST },
}

function rpc(method: string, params?: object, fields?: Readonly<Record<string, string>>): Job {
  const version = fields === undefined ? {} : { 'mcp-protocol-version': '2026-07-28' }
  const headers = { ...JSON_BODY, accept: 'application/json, text/event-stream', ...version, ...fields }
  return {
    method: 'POST',
    path: '/mcp',
    headers,
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  }
}
