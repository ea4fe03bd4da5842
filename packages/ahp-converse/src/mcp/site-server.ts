import { type Capability, MANIFEST_PATH } from '@doorplate/ahp-manifest'
import {
  type CallToolRequest,
  type CallToolResult,
  CLIENT_INFO_META_KEY,
  type Implementation,
  type InitializeResult,
  LATEST_PROTOCOL_VERSION,
  McpServer,
  type ProtocolEra,
  ProtocolError,
  ProtocolErrorCode,
  type ServerCapabilities,
  type ServerContext,
  SUPPORTED_PROTOCOL_VERSIONS,
} from '@modelcontextprotocol/server'
import type { FaceSite } from '../server/face.js'
import { fromFlatRequest } from '../server/flat-request.js'
import { HttpCall } from '../server/http-call.js'
import type { Exchange } from './exchange.js'
import { createSiteResources } from './site-resources.js'
import { toolOf } from './tool-of.js'
import { toolResult } from './tool-result.js'

/** Makes a server for the exchanges that `exchangeOf` knows by the context of a request. */
export type ServerMaker = (era: ProtocolEra, exchangeOf: (context: ServerContext) => Exchange) => McpServer

/** Nothing that is listed ever changes while the site runs. */
const CAPABILITIES: ServerCapabilities = { tools: { listChanged: false }, resources: { listChanged: false } }

/** The MCP server of a site. What it lists follows from the manifest, and what it answers comes from the concierge. */
export function createServerMaker(site: FaceSite): ServerMaker {
  const { manifest, maxAgeSeconds } = site
  const ofTheDraft = { ahp: manifest.ahp, manifest: `${site.publicUrl}${MANIFEST_PATH}` }
  const serverInfo = serverInfoOf(site, ofTheDraft)
  const asked = new Map<string, Capability>(
    (manifest.capabilities ?? []).filter(({ mode }) => mode !== 'MODE1').map((own) => [own.name, own]),
  )
  const resources = createSiteResources(site)
  const tools = { tools: [...asked.values()].map(toolOf) }
  const listed = { resources: [...resources.list] }
  const templates = { resourceTemplates: [] }
  const hint = { ttlMs: maxAgeSeconds * 1000, cacheScope: 'public' } as const
  const cacheHints = { 'tools/list': hint, 'resources/list': hint, 'server/discover': hint }
  const instructions = manifest.description

  return function makeServer(era, exchangeOf) {
    const mcp = new McpServer(serverInfo, {
      capabilities: CAPABILITIES,
      ...(era === 'modern' ? { cacheHints } : {}),
      ...(instructions === undefined ? {} : { instructions }),
    })
    const { server } = mcp
    server.setRequestHandler('initialize', ({ params }) => agreement(params.protocolVersion))
    server.setRequestHandler('tools/list', ({ params }) => onePage(tools, params?.cursor))
    server.setRequestHandler('resources/list', ({ params }) => onePage(listed, params?.cursor))
    server.setRequestHandler('resources/templates/list', ({ params }) => onePage(templates, params?.cursor))
    server.setRequestHandler('tools/call', ({ params }, context) =>
      noting(exchangeOf(context), (exchange) => call(params, exchange, context)),
    )
    server.setRequestHandler('resources/read', ({ params }, context) =>
      noting(exchangeOf(context), (exchange) => resources.read(params.uri, exchange)),
    )
    return mcp
  }

  /** Nothing is kept of it: any instance serves any client. An unknown version is answered with the newest. */
  function agreement(requested: string): InitializeResult {
    return {
      protocolVersion: SUPPORTED_PROTOCOL_VERSIONS.includes(requested) ? requested : LATEST_PROTOCOL_VERSION,
      capabilities: CAPABILITIES,
      serverInfo,
      ...(instructions === undefined ? {} : { instructions }),
      _meta: ofTheDraft,
    }
  }

  async function call(
    { name, arguments: given = {} }: CallToolRequest['params'],
    exchange: Exchange,
    context: ServerContext,
  ): Promise<CallToolResult> {
    const capability = asked.get(name)
    if (capability === undefined)
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'The site has no tool of this name.')
    const { request, caller } = exchange
    const question = withAgent(fromFlatRequest(capability, given), context)
    const { status, headers, body } = await site.converse(new HttpCall(question, caller, request))
    exchange.reply = { status, headers }
    return toolResult(body, site.publicUrl)
  }
}

/** Clients built on the SDK take out what it does not know, which is why `_meta` has the members of the draft too. */
function serverInfoOf({ manifest, publicUrl }: FaceSite, ofTheDraft: object): Implementation {
  const { name = publicUrl, ahp } = manifest
  return { name, version: ahp, websiteUrl: publicUrl, ...ofTheDraft }
}

/** What is thrown is told to the site, never to the client. */
async function noting<Result>(
  exchange: Exchange,
  work: (exchange: Exchange) => Promise<Result>,
): Promise<Result> {
  try {
    return await work(exchange)
  } catch (error) {
    if (error instanceof ProtocolError) throw error
    exchange.failure = { error }
    throw new ProtocolError(ProtocolErrorCode.InternalError, 'The site failed to answer.')
  }
}

function onePage<Page>(page: Page, cursor: string | undefined): Page {
  if (cursor === undefined) return page
  throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'There is only one page: no cursor was given out.')
}

/** What the client says it is, where every request says so (2026-07-28). */
function withAgent(request: unknown, { mcpReq }: ServerContext): unknown {
  const envelope: { readonly [CLIENT_INFO_META_KEY]?: Implementation } | undefined = mcpReq.envelope
  const client = envelope?.[CLIENT_INFO_META_KEY]
  if (client === undefined || typeof request !== 'object' || request === null) return request
  const { context } = request as { context?: unknown }
  const agent = `${client.name}/${client.version}`.slice(0, 128)
  return { ...request, context: { requesting_agent: agent, ...(typeof context === 'object' ? context : {}) } }
}
