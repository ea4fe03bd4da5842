import { LATEST_PROTOCOL_VERSION } from '@modelcontextprotocol/server'
import { invalidOption } from '../converse-error.js'
import { checkPath } from '../server/check-path.js'
import type { CoreRequest, CoreResponse } from '../server/core-message.js'
import type { Face, FaceExchange, FaceSite, OpenFace } from '../server/face.js'
import { readJsonBody } from '../server/read-json-body.js'
import { rateLimited, Refusal } from '../server/refusal.js'
import { checkMembers, wholeOption } from '../server/state-options.js'
import { createMessageAnswer } from './answer-message.js'
import type { Exchange } from './exchange.js'
import { INVALID_REQUEST, PARSE_ERROR, REFUSED, rpcError } from './json-rpc.js'
import { takeMetaAuth } from './meta-auth.js'
import { createStrangerCheck } from './stranger-check.js'

/** Options of `mcpFace`. */
export interface McpFaceOptions {
  /** Default: `/mcp`. */
  readonly path?: string
  /** Values of `Host` besides that of the public URL and loopback addresses: `shop.internal`, `10.0.0.7:8080`. Default: none. */
  readonly allowHosts?: readonly string[]
  /** Longest message, bytes. Default: 16,384. */
  readonly maxRequestBytes?: number
}

/** What the concierge counts itself, unless it never gets that far; all else counts as reading. */
const COUNTED_BY_CONCIERGE: readonly unknown[] = ['tools/call', 'resources/read']

/**
 * The site as an MCP server over Streamable HTTP, for clients of every revision from 2024-11-05 to 2026-07-28. It keeps
 * nothing between requests and answers with JSON, never with a stream.
 *
 * @throws {ConverseError} `invalid_option`
 */
export function mcpFace(options: McpFaceOptions = {}): Face {
  checkMembers('mcpFace', options, ['path', 'allowHosts', 'maxRequestBytes'])
  const path = checkPath('path', options.path ?? '/mcp')
  const maxRequestBytes = wholeOption('maxRequestBytes', options.maxRequestBytes, 16_384)
  const { allowHosts = [] } = options
  if (!Array.isArray(allowHosts) || !allowHosts.every((host) => typeof host === 'string'))
    throw invalidOption('allowHosts', 'must be an array of strings')
  return {
    name: 'mcp',
    path,
    version: LATEST_PROTOCOL_VERSION,
    open: (site) => openMcp(site, { path, maxRequestBytes, allowHosts }),
  }
}

function openMcp(site: FaceSite, { path, maxRequestBytes, allowHosts }: Required<McpFaceOptions>): OpenFace {
  const { publicUrl, allowOrigins } = site
  const strangerIn = createStrangerCheck({ publicUrl, allowOrigins, allowHosts })
  const answer = createMessageAnswer(site, path)

  return { methodsAt: (asked) => (asked === path ? 'POST, OPTIONS' : undefined), respond }

  async function respond({ request, caller }: FaceExchange): Promise<CoreResponse> {
    const received = await receive(request)
    if ('refused' in received) return counted({ request, caller }, received.refused)
    const { message, credential } = takeMetaAuth(received.message)
    const exchange: Exchange = { request, caller: { ...caller, credential: caller.credential ?? credential } }
    const { method } = message as { method?: unknown }
    if (!COUNTED_BY_CONCIERGE.includes(method)) {
      const refused = await count(exchange)
      if (refused !== undefined) return refused
    }
    const response = await answer(message, exchange)
    if (exchange.failure !== undefined) throw exchange.failure.error
    return counted(exchange, response)
  }

  /** One JSON-RPC message. Batches are gone since 2025-06-18, and would be many questions for the price of one. */
  async function receive(
    request: CoreRequest,
  ): Promise<{ readonly message: object } | { readonly refused: CoreResponse }> {
    const stranger = strangerIn(request)
    if (stranger !== undefined) return { refused: rpcError(403, REFUSED, stranger) }
    const body = await readJsonBody(request, maxRequestBytes)
    if (body instanceof Refusal) {
      const code = body.status === 400 ? PARSE_ERROR : REFUSED
      return { refused: rpcError(body.status, code, body.body.message) }
    }
    const { json } = body
    if (typeof json === 'object' && json !== null && !Array.isArray(json)) return { message: json }
    return { refused: rpcError(400, INVALID_REQUEST, 'A request is one JSON-RPC message, an object.') }
  }

  /** A response with what is to be said of limits and credentials; counts the request where nothing has. */
  async function counted(exchange: Exchange, response: CoreResponse): Promise<CoreResponse> {
    const refused = exchange.reply === undefined ? await count(exchange) : undefined
    if (refused !== undefined) return refused
    const { status = 200, headers = {} } = exchange.reply ?? {}
    return {
      ...response,
      status: status === 401 || status === 403 ? status : response.status,
      headers: { ...response.headers, ...headers },
    }
  }

  async function count(exchange: Exchange): Promise<CoreResponse | undefined> {
    const verdict = await site.admit(exchange.caller)
    exchange.reply = { status: 200, headers: verdict.headers }
    if (verdict.allowed) return undefined
    const { status, body, headers } = rateLimited(verdict)
    return rpcError(status, REFUSED, body.message, { data: body, headers })
  }
}
