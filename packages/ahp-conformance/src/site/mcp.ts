import { ownMember } from '../own-member.js'
import type { Reading } from './reading.js'
import type { Site } from './site.js'

/** A JSON-RPC call of the MCP face, with what came back. */
export interface McpReply {
  readonly reading: Reading
  /** The JSON-RPC message, whether it came as JSON or as server-sent events; undefined where there was none. */
  readonly message: unknown
  readonly result: unknown
  readonly error: unknown
}

export interface McpOptions {
  readonly withCredential?: boolean
  /** Header fields besides those of the protocol. */
  readonly headers?: Readonly<Record<string, string>>
  /** In place of the message. */
  readonly body?: string
}

/** The revision of MCP that the draft of AHP names. */
export const MCP_VERSION = '2024-11-05'

/** Params of the call that opens a connection. */
export const INITIALIZE: Readonly<Record<string, unknown>> = {
  protocolVersion: MCP_VERSION,
  capabilities: {},
  clientInfo: { name: 'ahp-conformance', version: '0' },
}

/** Calls a method of the MCP face; the caller has seen that there is one. */
export async function callMcp(
  site: Site,
  method: string,
  params: Readonly<Record<string, unknown>>,
  { withCredential = false, headers = {}, body }: McpOptions = {},
): Promise<McpReply> {
  const { mcpUrl = '' } = await site.declared()
  const own = withCredential ? await site.credentialHeaders(mcpUrl) : {}
  const reading = await site.send('mcp', {
    url: mcpUrl,
    method: 'POST',
    headers: {
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
      ...(method === 'initialize' ? {} : { 'mcp-protocol-version': MCP_VERSION }),
      ...own,
      ...headers,
    },
    body: body ?? JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  })
  const message = reading.json ?? lastEvent(reading.text)
  return { reading, message, result: ownMember(message, 'result'), error: ownMember(message, 'error') }
}

/** The data of the last event that is JSON and answers a call. */
function lastEvent(text: string): unknown {
  const messages = text
    .split(/\r?\n/)
    .filter((line) => line.startsWith('data:'))
    .flatMap((line) => {
      try {
        return [JSON.parse(line.slice('data:'.length)) as unknown]
      } catch {
        return []
      }
    })
  return messages.findLast((message) => ownMember(message, 'id') !== undefined)
}
