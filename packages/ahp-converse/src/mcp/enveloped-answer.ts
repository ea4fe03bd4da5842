import { createMcpHandler } from '@modelcontextprotocol/server'
import type { CoreRequest, CoreResponse } from '../server/core-message.js'
import type { Exchange } from './exchange.js'
import { sendRpc } from './json-rpc.js'
import type { ServerMaker } from './site-server.js'

/** The revision 2026-07-28: the SDK's own handler, with a server for each request. */
export function createEnvelopedAnswer(
  makeServer: ServerMaker,
  url: string,
): (message: object, exchange: Exchange) => Promise<CoreResponse> {
  const exchanges = new WeakMap<Request, Exchange>()
  const handler = createMcpHandler(({ requestInfo }) => makeServer('modern', () => exchangeOf(requestInfo)), {
    legacy: 'reject',
  })

  return async function answerEnveloped(message, exchange) {
    const request = new Request(url, { method: 'POST', headers: fieldsOf(exchange.request) })
    exchanges.set(request, exchange)
    const response = await handler.fetch(request, { parsedBody: message })
    return sendRpc(response.status, response.body === null ? null : await response.text(), {})
  }

  function exchangeOf(request: Request | undefined): Exchange {
    const exchange = request === undefined ? undefined : exchanges.get(request)
    if (exchange === undefined) throw new Error('The request is none of this handler.')
    return exchange
  }
}

function fieldsOf(request: CoreRequest): [string, string][] {
  const names = ['mcp-protocol-version', 'mcp-method', 'mcp-name']
  const fields = names.map((name) => [name, request.header(name)] as const)
  return [
    ['content-type', 'application/json'],
    ...fields.filter((field): field is [string, string] => field[1] !== null),
  ]
}
