import {
  type InboundLegacyRoute,
  type JSONRPCRequest,
  SUPPORTED_PROTOCOL_VERSIONS,
} from '@modelcontextprotocol/server'
import type { CoreResponse } from '../server/core-message.js'
import type { Exchange } from './exchange.js'
import { REFUSED, rpcError, sendResult, sendRpc, SESSION_NOT_FOUND } from './json-rpc.js'
import { SharedTransport } from './shared-transport.js'
import type { ServerMaker } from './site-server.js'

const LISTS: readonly string[] = ['tools/list', 'resources/list']

/** The revisions from 2024-11-05 to 2025-11-25: one server for the requests of all clients. */
export function createBareAnswer(
  makeServer: ServerMaker,
): (route: InboundLegacyRoute, message: object, exchange: Exchange) => Promise<CoreResponse> {
  const transport = new SharedTransport()
  const connected = makeServer('legacy', ({ mcpReq }) => transport.exchangeOf(mcpReq.id)).connect(transport)
  /** Lists never change, so that their text is made once. */
  const texts = new WeakMap<object, string>()

  return async function answerBare({ reason, requestedVersion }, message, exchange) {
    if (reason === 'notification' || reason === 'response') return sendRpc(202, null, {})
    const request = message as JSONRPCRequest
    const refused = reason === 'initialize' ? undefined : refusalOf(request, requestedVersion, exchange)
    if (refused !== undefined) return refused
    await connected
    const response = await transport.ask(request, exchange, { era: 'legacy' })
    if (!LISTS.includes(request.method) || !('result' in response))
      return sendRpc(200, JSON.stringify(response), {})
    return sendResult(response.id, textOf(response.result))
  }

  function textOf(result: object): string {
    const text = texts.get(result) ?? JSON.stringify(result)
    texts.set(result, text)
    return text
  }
}

/** A version that was never agreed on, or a session of another server: none is ever given out here. */
function refusalOf(
  { id }: JSONRPCRequest,
  version: string | undefined,
  { request }: Exchange,
): CoreResponse | undefined {
  if (version !== undefined && !SUPPORTED_PROTOCOL_VERSIONS.includes(version)) {
    const data = { supported: SUPPORTED_PROTOCOL_VERSIONS }
    return rpcError(400, REFUSED, 'The MCP-Protocol-Version is not supported.', { id, data })
  }
  if (request.header('mcp-session-id') === null) return undefined
  return rpcError(404, SESSION_NOT_FOUND, 'There is no such session. Initialize again.', { id })
}
