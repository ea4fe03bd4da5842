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

/** The session that each site has opened last (Model Context Protocol, "Session Management"); most open none. */
const sessions = new WeakMap<Site, string>()

/** Calls a method of the MCP face; the caller has seen that there is one. */
export async function callMcp(
  site: Site,
  method: string,
  params: Readonly<Record<string, unknown>>,
  { withCredential = false, headers = {}, body }: McpOptions = {},
): Promise<McpReply> {
  const { mcpUrl = '' } = await site.declared()
  const own = withCredential ? await site.credentialHeaders(mcpUrl) : {}
  const isFirst = method === 'initialize'
  const session = sessions.get(site)
  const reading = await site.send('mcp', {
    url: mcpUrl,
    method: 'POST',
    headers: {
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
      ...(isFirst ? {} : { 'mcp-protocol-version': MCP_VERSION }),
      ...(isFirst || session === undefined ? {} : { 'mcp-session-id': session }),
      ...own,
      ...headers,
    },
    body: body ?? JSON.stringify({ jsonrpc: '2.0', id: CALL_ID, method, params }),
  })
  const opened = reading.headers['mcp-session-id']
  if (isFirst && opened !== undefined) sessions.set(site, opened)
  const received = reading.json ?? lastEvent(reading.text)
  const message = answersCall(received) ? received : undefined
  return { reading, message, result: ownMember(message, 'result'), error: ownMember(message, 'error') }
}

const CALL_ID = 1

/** A response of JSON-RPC 2.0 to our call; an error may also answer what could not be read (section 5). */
function answersCall(message: unknown): boolean {
  if (ownMember(message, 'jsonrpc') !== '2.0') return false
  const id = ownMember(message, 'id')
  return id === CALL_ID || (ownMember(message, 'error') !== undefined && (id ?? null) === null)
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
