import {
  createMcpHandler,
  type InboundModernRoute,
  type JSONRPCRequest,
  type McpServer,
  type ServerContext,
} from '@modelcontextprotocol/server'
import { LRUCache } from 'lru-cache'
import type { CoreRequest, CoreResponse } from '../server/core-message.js'
import type { Exchange } from './exchange.js'
import { sendResult, sendRpc } from './json-rpc.js'
import { SharedTransport } from './shared-transport.js'
import type { ServerMaker } from './site-server.js'

/** A server of the SDK's handler, and how it finds the exchange of a request. */
interface Serving {
  readonly server: McpServer
  exchangeOf: (context: ServerContext) => Exchange
}

/** Envelopes that are known to be good. */
const MAX_ENVELOPES = 1000
const FIELDS: readonly string[] = ['mcp-protocol-version', 'mcp-method', 'mcp-name']
const LISTS: readonly string[] = ['tools/list', 'resources/list']

/**
 * The revision 2026-07-28. The SDK's own handler judges each envelope, with a server for each request. Requests that differ from one
 * it has answered in nothing but their id and their arguments need no judgement: they go to the first of these servers.
 */
export function createEnvelopedAnswer(
  makeServer: ServerMaker,
  url: string,
): (route: InboundModernRoute, message: object, exchange: Exchange) => Promise<CoreResponse> {
  const exchanges = new WeakMap<Request, Exchange>()
  const servings = new WeakMap<Request, Serving>()
  const handler = createMcpHandler(({ requestInfo }) => serve(requestInfo), { legacy: 'reject' })
  const transport = new SharedTransport()
  /** The result of a list as text, which never changes; none for what is answered anew. */
  const known = new LRUCache<string, { readonly list: string | undefined }>({ max: MAX_ENVELOPES })
  let shared: Promise<void> | undefined

  return async function answerEnveloped({ classification }, message, exchange) {
    const envelope = envelopeOf(message, exchange.request)
    const found = envelope === undefined ? undefined : known.get(envelope)
    if (found === undefined || shared === undefined) return judged(envelope, message, exchange)
    const request = message as JSONRPCRequest
    if (found.list !== undefined) return sendResult(request.id, found.list)
    await shared
    return sendRpc(200, JSON.stringify(await transport.ask(request, exchange, classification)), {})
  }

  async function judged(
    envelope: string | undefined,
    message: object,
    exchange: Exchange,
  ): Promise<CoreResponse> {
    const request = new Request(url, { method: 'POST', headers: fieldsOf(exchange.request) })
    exchanges.set(request, exchange)
    const response = await handler.fetch(request, { parsedBody: message })
    const text = response.body === null ? null : await response.text()
    const serving = servings.get(request)
    if (envelope !== undefined && serving !== undefined && response.status === 200 && text !== null) {
      shared ??= share(serving)
      remember(envelope, message as JSONRPCRequest, text)
    }
    return sendRpc(response.status, text, {})
  }

  function remember(envelope: string, { method }: JSONRPCRequest, text: string): void {
    const { result } = JSON.parse(text) as { readonly result?: unknown }
    if (result !== undefined)
      known.set(envelope, { list: LISTS.includes(method) ? JSON.stringify(result) : undefined })
  }

  function serve(request: Request | undefined): McpServer {
    const exchange = request === undefined ? undefined : exchanges.get(request)
    if (request === undefined || exchange === undefined)
      throw new Error('The request is none of this handler.')
    const serving: Serving = {
      server: makeServer('modern', (context) => serving.exchangeOf(context)),
      exchangeOf: () => exchange,
    }
    servings.set(request, serving)
    return serving.server
  }

  async function share(serving: Serving): Promise<void> {
    await serving.server.close()
    serving.exchangeOf = ({ mcpReq }) => transport.exchangeOf(mcpReq.id)
    await serving.server.connect(transport)
  }
}

/** All of a request but its id and its arguments; undefined where these may not be what they have to be. */
function envelopeOf(message: object, request: CoreRequest): string | undefined {
  const { id, params, ...rest } = message as { id?: unknown; params?: { arguments?: unknown } }
  const { arguments: given = {}, ...others } = params ?? {}
  const isFit =
    (typeof id === 'string' || Number.isSafeInteger(id)) &&
    typeof given === 'object' &&
    given !== null &&
    !Array.isArray(given)
  return isFit ? JSON.stringify([FIELDS.map((name) => request.header(name)), rest, others]) : undefined
}

function fieldsOf(request: CoreRequest): [string, string][] {
  const fields = FIELDS.map((name) => [name, request.header(name)] as const)
  return [
    ['content-type', 'application/json'],
    ...fields.filter((field): field is [string, string] => field[1] !== null),
  ]
}
