import { at, put, set } from '../draft.js'
import { refusal } from '../site-message.js'
import {
  ALWAYS,
  answerBody,
  identify,
  inMcp,
  inOpenapi,
  inReply,
  instead,
  isFace,
  isMcp,
  isStranger,
  memberOf,
  type Twin,
} from './twin.js'

/** Faults of the MCP and OpenAPI faces. */
export const FACE_TWINS: readonly Twin[] = [
  {
    check: 'mcp.initialize',
    what: 'serverInfo does not name AHP',
    status: 'failed',
    fault: inMcp('initialize', set('serverInfo.ahp')),
  },
  {
    check: 'mcp.tools',
    what: 'a tool is missing',
    status: 'failed',
    fault: inMcp('tools/list', (result) => (result['tools'] as unknown[]).pop()),
  },
  {
    check: 'mcp.call',
    what: 'the text is not the answer',
    status: 'failed',
    breaks: ['R-026'],
    fault: inMcp('tools/call', set('content.0.text', 'See structuredContent.')),
  },
  {
    check: 'mcp.resources',
    what: 'what is listed cannot be read',
    status: 'failed',
    fault: inMcp('resources/read', set('contents', [])),
  },
  {
    check: 'mcp.foreign_resources',
    what: 'any address is read',
    status: 'failed',
    fault: instead(
      (request) => isMcp(request) && /^https?:/.test(String(memberOf(request, 'params', 'uri'))),
      () => ({
        ...ALWAYS,
        body: { jsonrpc: '2.0', id: 1, result: { contents: [{ uri: 'x', text: 'Secret' }] } },
      }),
    ),
  },
  {
    check: 'mcp.auth',
    what: 'tools are open to all',
    status: 'failed',
    fault: {
      answer: (request) => {
        if (isMcp(request) && memberOf(request, 'params', 'name') === 'orders') identify(request)
        return undefined
      },
    },
  },
  {
    check: 'mcp.auth',
    what: 'any credential is taken in Authorization',
    status: 'failed',
    fault: {
      answer: (request) => {
        if (isMcp(request) && isStranger(request)) identify(request)
        return undefined
      },
    },
  },
  {
    check: 'mcp.auth',
    what: 'any credential is taken in _meta.auth',
    status: 'failed',
    fault: {
      answer: (request) => {
        if (isMcp(request) && memberOf(request, 'params', '_meta', 'auth') !== undefined) identify(request)
        return undefined
      },
    },
  },
  {
    check: 'mcp.versions',
    what: 'a client of another revision is refused',
    status: 'failed',
    fault: instead(
      (request) => isMcp(request) && memberOf(request, 'params', 'protocolVersion') === '2025-06-18',
      () => ({ ...ALWAYS, body: { jsonrpc: '2.0', id: 1, error: { code: -32_602, message: 'No.' } } }),
    ),
  },
  {
    check: 'mcp.versions',
    what: 'clients of the newest revision lack a tool',
    status: 'failed',
    fault: inMcp('tools/list', (result, { headers }) => {
      if (headers['mcp-protocol-version'] === '2026-07-28') (result['tools'] as unknown[]).pop()
    }),
  },
  {
    check: 'mcp.versions',
    what: 'clients of the newest revision get no answer',
    status: 'failed',
    fault: inMcp('tools/call', (result, { headers }) => {
      if (headers['mcp-protocol-version'] === '2026-07-28') put(result, 'content', [])
    }),
  },
  {
    check: 'mcp.auth',
    what: 'one tool of several is open to all',
    status: 'failed',
    fault: instead(
      (request) =>
        isMcp(request) &&
        memberOf(request, 'params', 'name') === 'ask_person' &&
        request.headers.authorization === undefined,
      () => ({
        ...ALWAYS,
        body: { jsonrpc: '2.0', id: 1, result: { content: [{ type: 'text', text: 'Yes.' }] } },
      }),
    ),
  },
  {
    check: 'mcp.resources',
    what: 'the list is no answer to the call',
    status: 'failed',
    fault: inReply(
      (request) => memberOf(request, 'method') === 'resources/list',
      ({ body }) => {
        put(body, 'id', 99)
      },
    ),
  },
  {
    check: 'mcp.resources',
    what: 'the list is no message of JSON-RPC 2.0',
    status: 'failed',
    fault: inReply(
      (request) => memberOf(request, 'method') === 'resources/list',
      ({ body }) => {
        put(body, 'jsonrpc')
      },
    ),
  },
  {
    check: 'mcp.errors',
    what: 'any method is answered',
    status: 'failed',
    fault: instead(
      (request) => isMcp(request) && memberOf(request, 'method') === 'doorplate/absent',
      () => ({ ...ALWAYS, body: { jsonrpc: '2.0', id: 1, result: {} } }),
    ),
  },
  {
    check: 'mcp.origin',
    what: 'any page may call',
    status: 'warning',
    fault: {
      answer: (request) => {
        delete request.headers.origin
        return undefined
      },
    },
  },
  {
    check: 'openapi.valid',
    what: 'the version is 3.0',
    status: 'failed',
    fault: inOpenapi(set('openapi', '3.0.3')),
  },
  {
    check: 'openapi.valid',
    what: 'a reference leads nowhere',
    status: 'failed',
    fault: inOpenapi(set('components.schemas.More', { $ref: '#/components/schemas/Absent' })),
  },
  {
    check: 'openapi.valid',
    what: 'a parameter has no place',
    status: 'failed',
    fault: inOpenapi(set('paths./capabilities/search.post.parameters', [{ name: 'q', schema: {} }])),
  },
  {
    check: 'openapi.valid',
    what: 'a member is there that OpenAPI does not know',
    status: 'failed',
    fault: inOpenapi(set('paths./capabilities/search.post.auth_required', true)),
  },
  {
    check: 'openapi.info',
    what: 'the title is another',
    status: 'failed',
    fault: inOpenapi(set('info.title', 'API')),
  },
  {
    check: 'openapi.operations',
    what: 'operationId is another',
    status: 'failed',
    fault: inOpenapi(set('paths./capabilities/search.post.operationId', 'postSearch')),
  },
  {
    check: 'openapi.security',
    what: 'an action names no scheme',
    status: 'failed',
    fault: inOpenapi(set('paths./capabilities/place_order.post.security')),
  },
  {
    check: 'openapi.polling',
    what: 'polling is not described',
    status: 'failed',
    fault: inOpenapi(set('paths./capabilities/ask_person.post.description', 'A bookseller answers.')),
  },
  {
    check: 'openapi.call',
    what: 'the path does not work',
    status: 'failed',
    fault: instead(
      (request) => isFace(request) && request.path.endsWith('/search'),
      () => refusal(404, 'invalid_request'),
    ),
  },
  {
    check: 'openapi.call',
    what: 'the paths are not below the path of the server',
    status: 'failed',
    fault: {
      ...inOpenapi((document) => {
        const url = `${String(at(document, 'servers', 0, 'url'))}/v1`
        put(document, 'paths./capabilities/search.post.servers', [{ url }])
      }),
      ...instead(
        ({ path }) => path.startsWith('/v1/'),
        () => refusal(404, 'invalid_request'),
      ),
    },
  },
  {
    check: 'openapi.auth',
    what: 'any credential is taken',
    status: 'failed',
    fault: {
      answer: (request) => {
        if (isFace(request) && isStranger(request)) identify(request)
        return undefined
      },
    },
  },
  {
    check: 'openapi.auth',
    what: 'the path is open',
    status: 'failed',
    fault: instead(
      (request) => isFace(request) && request.path.endsWith('/orders'),
      () => ({ ...ALWAYS, body: answerBody('s-x') }),
    ),
  },
  {
    check: 'openapi.auth',
    what: 'the path of an action is open',
    status: 'failed',
    fault: instead(
      (request) => isFace(request) && request.path.endsWith('/place_order'),
      () => ({ ...ALWAYS, body: answerBody('s-x') }),
    ),
  },
]
