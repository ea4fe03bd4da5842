import { put, set } from '../draft.js'
import { TOKEN } from '../good-concierge.js'
import { refusal } from '../site-message.js'
import {
  ALWAYS,
  answerBody,
  inMcp,
  inOpenapi,
  inReply,
  instead,
  isFace,
  isMcp,
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
        if (isMcp(request) && memberOf(request, 'params', 'name') === 'orders')
          Object.assign(request.headers, { authorization: `Bearer ${TOKEN}` })
        return undefined
      },
    },
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
