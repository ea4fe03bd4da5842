import type { Capability } from '@doorplate/ahp-manifest'
import { at, type Draft } from './draft.js'
import { answerTo, type GoodSite } from './good-concierge.js'
import { parsed, refusal, type Reply, type SiteRequest } from './site-message.js'

/** The MCP face. */
export function mcp(request: SiteRequest, site: GoodSite): Reply {
  if (request.headers.origin !== undefined) return refusal(403, 'forbidden')
  const call = request.body
  const sent = parsed(request.text)
  const reply = (part: Draft): Reply => ({
    status: 200,
    headers: {},
    body: { jsonrpc: '2.0', id: call['id'] ?? null, ...part },
  })
  const error = (code: number): Reply => reply({ error: { code, message: 'No.' } })
  if (sent === undefined) return error(-32_700)
  const capabilities = (site.manifest['capabilities'] as Capability[]).filter(({ mode }) => mode !== 'MODE1')
  switch (call['method']) {
    case 'initialize':
      return reply({
        result: {
          protocolVersion: at(call, 'params', 'protocolVersion'),
          capabilities: { tools: {}, resources: {} },
          serverInfo: {
            name: 'The Book Shelf',
            version: '1',
            ahp: '0.1',
            manifest: '/.well-known/agent.json',
          },
        },
      })
    case 'server/discover':
      return reply({
        result: {
          supportedVersions: ['2026-07-28'],
          capabilities: { tools: {}, resources: {} },
          resultType: 'complete',
        },
      })
    case 'tools/list': {
      const properties = { query: { type: 'string' }, session_id: { type: 'string' } }
      const inputSchema = { type: 'object', properties, required: ['query'] }
      return reply({
        result: { tools: capabilities.map(({ name, description }) => ({ name, description, inputSchema })) },
      })
    }
    case 'tools/call': {
      const { name, arguments: given } = call['params'] as Draft
      const inMeta = at(call, 'params', '_meta', 'auth') as string | undefined
      const authorization = request.headers.authorization ?? inMeta ?? ''
      const answer = answerTo(
        { capability: name, ...(given as Draft) },
        { ...request, headers: { authorization } },
        site,
      )
      const text = at(answer.body, 'response', 'answer') ?? at(answer.body, 'message')
      const content = [{ type: 'text', text }]
      return reply({ result: { content, structuredContent: answer.body, isError: answer.status >= 400 } })
    }
    case 'resources/list':
      return reply({ result: { resources: [{ uri: 'ahp://llms.txt', name: 'llms.txt' }] } })
    case 'resources/read':
      if (at(call, 'params', 'uri') !== 'ahp://llms.txt') return error(-32_002)
      return reply({ result: { contents: [{ uri: 'ahp://llms.txt', text: '# The Book Shelf' }] } })
    default:
      return error(-32_601)
  }
}

/** The description of the OpenAPI face. */
export function openapi(manifest: Draft, host: string): Draft {
  const described = (name: string): Draft => ({ description: name })
  const body = { type: 'object', properties: { query: { type: 'string' } }, required: ['query'] }
  const asked = (manifest['capabilities'] as Capability[]).filter(({ mode }) => mode !== 'MODE1')
  const operation = ({
    name,
    description,
    auth_required: isClosed,
    action_type: type,
  }: Capability): Draft => ({
    operationId: name,
    description: type === 'async' ? `${description} Poll /agent/converse/status/{id}.` : description,
    requestBody: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Question' } } } },
    responses: {
      200: described('The answer'),
      400: described('Bad'),
      401: described('Closed'),
      429: described('Wait'),
    },
    ...(isClosed === true || type !== undefined ? { security: [{ bearer: [] }] } : {}),
  })
  return {
    openapi: '3.1.0',
    info: { title: manifest['name'], version: '0.1' },
    servers: [{ url: `http://${host}` }],
    paths: Object.fromEntries(asked.map((own) => [`/capabilities/${own.name}`, { post: operation(own) }])),
    components: {
      schemas: { Question: body, AHPResponse: { type: 'object' } },
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } },
    },
  }
}
