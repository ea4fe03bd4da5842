import { classifyInboundRequest } from '@modelcontextprotocol/server'
import type { CoreResponse } from '../server/core-message.js'
import type { FaceSite } from '../server/face.js'
import { createBareAnswer } from './bare-answer.js'
import { createEnvelopedAnswer } from './enveloped-answer.js'
import type { Exchange } from './exchange.js'
import { invalidParams } from './invalid-params.js'
import { INVALID_PARAMS, METHOD_NOT_FOUND, rpcError } from './json-rpc.js'
import { createServerMaker } from './site-server.js'

/** Answers one JSON-RPC message over HTTP. */
export type MessageAnswer = (message: object, exchange: Exchange) => Promise<CoreResponse>

/** Serves both eras of the protocol: what comes with the envelope of 2026-07-28, and what comes without. */
export function createMessageAnswer(site: FaceSite, path: string): MessageAnswer {
  const makeServer = createServerMaker(site)
  const answerBare = createBareAnswer(makeServer)
  const answerEnveloped = createEnvelopedAnswer(makeServer, `${site.publicUrl}${path}`)

  return async function answer(message, exchange) {
    const { method, id } = message as { method?: unknown; id?: unknown }
    const route = classifyInboundRequest({
      httpMethod: 'POST',
      body: message,
      ...fieldsOf(exchange, method === 'initialize'),
    })
    if (route.kind === 'reject') {
      const { httpStatus, code, data } = route
      return rpcError(httpStatus, code, route.message, { id, data })
    }
    if (route.kind === 'legacy')
      return explained(await answerBare(route, message, exchange), message, exchange)
    // Nothing that is listed ever changes: there is nothing to listen to.
    if (method === 'subscriptions/listen') return rpcError(404, METHOD_NOT_FOUND, 'Method not found', { id })
    return explained(await answerEnveloped(route, message, exchange), message, exchange)
  }
}

/** The SDK calls parameters that make no sense an error of its own, and prints what its schemas say of them. */
function explained(response: CoreResponse, message: object, { failure }: Exchange): CoreResponse {
  const mayBe = failure === undefined && /"error":\{"code":-3260[23]/.test(response.body ?? '')
  const why = mayBe ? invalidParams(message) : undefined
  if (why === undefined) return response
  return rpcError(response.status, INVALID_PARAMS, why, { id: (message as { id?: unknown }).id })
}

/** No version is agreed on before `initialize`, whatever the field says. */
function fieldsOf({ request }: Exchange, isFirst: boolean): Readonly<Record<string, string>> {
  const fields = {
    protocolVersionHeader: isFirst ? null : request.header('mcp-protocol-version'),
    mcpMethodHeader: request.header('mcp-method'),
    mcpNameHeader: request.header('mcp-name'),
  }
  return Object.fromEntries(
    Object.entries(fields).filter((field): field is [string, string] => field[1] !== null),
  )
}
