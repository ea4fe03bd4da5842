import { ownMember, ownText } from '../own-member.js'
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
  readonly withCredential?: boolean | 'wrong'
  /** Header fields besides those of the protocol. */
  readonly headers?: Readonly<Record<string, string>>
  /** In place of the message. */
  readonly body?: string
  /** Default: the revision that the draft of AHP names. */
  readonly version?: McpVersion
}

/** The revision of MCP that the draft of AHP names, the one that most clients speak, and the first without a handshake. */
export type McpVersion = '2024-11-05' | '2025-06-18' | '2026-07-28'

export const MCP_VERSION = '2024-11-05'

const CLIENT = { name: 'ahp-conformance', version: '0' }

/** Params of the call that opens a connection. */
export function initializeParams(protocolVersion: McpVersion): Readonly<Record<string, unknown>> {
  return { protocolVersion, capabilities: {}, clientInfo: CLIENT }
}

/** The session that each site has opened last (Model Context Protocol, "Session Management"); most open none. */
const sessions = new WeakMap<Site, string>()

/** Calls a method of the MCP face; the caller has seen that there is one. */
export async function callMcp(
  site: Site,
  method: string,
  params: Readonly<Record<string, unknown>>,
  { withCredential = false, headers = {}, body, version = MCP_VERSION }: McpOptions = {},
): Promise<McpReply> {
  const { mcpUrl = '' } = await site.declared()
  const own =
    withCredential === false
      ? {}
      : await site.credentialHeaders(mcpUrl, { isWrong: withCredential === 'wrong' })
  const isFirst = method === 'initialize'
  const session = sessions.get(site)
  const reading = await site.send('mcp', {
    url: mcpUrl,
    method: 'POST',
    headers: {
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
      ...(isFirst ? {} : { 'mcp-protocol-version': version }),
      ...(isFirst || session === undefined || version === '2026-07-28' ? {} : { 'mcp-session-id': session }),
      ...(version === '2026-07-28' ? standardHeaders(method, params) : {}),
      ...own,
      ...headers,
    },
    body:
      body ?? JSON.stringify({ jsonrpc: '2.0', id: CALL_ID, method, params: forVersion(params, version) }),
  })
  const opened = reading.headers['mcp-session-id']
  if (isFirst && version === MCP_VERSION && opened !== undefined) sessions.set(site, opened)
  const received = reading.json ?? lastEvent(reading.text)
  const message = answersCall(received) ? received : undefined
  return { reading, message, result: ownMember(message, 'result'), error: ownMember(message, 'error') }
}

const CALL_ID = 1

/** What every request says of itself since 2026-07-28 ("Transports"). */
function standardHeaders(
  method: string,
  params: Readonly<Record<string, unknown>>,
): Readonly<Record<string, string>> {
  const name = ownText(params, 'name') ?? ownText(params, 'uri')
  return { 'mcp-method': method, ...(name !== undefined && { 'mcp-name': name }) }
}

/** Since 2026-07-28 every request carries what the handshake carried before. */
function forVersion(
  params: Readonly<Record<string, unknown>>,
  version: McpVersion,
): Readonly<Record<string, unknown>> {
  if (version !== '2026-07-28') return params
  const envelope = {
    'io.modelcontextprotocol/protocolVersion': version,
    'io.modelcontextprotocol/clientInfo': CLIENT,
    'io.modelcontextprotocol/clientCapabilities': {},
  }
  return { ...params, _meta: envelope }
}

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
