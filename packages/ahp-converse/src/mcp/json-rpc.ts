import type { CoreResponse } from '../server/core-message.js'

/** The codes that are used without the SDK. -32000 is any refusal of the server's (JSON-RPC 2.0 section 5.1). */
export const PARSE_ERROR = -32_700
export const INVALID_REQUEST = -32_600
export const METHOD_NOT_FOUND = -32_601
export const INVALID_PARAMS = -32_602
export const REFUSED = -32_000
export const SESSION_NOT_FOUND = -32_001

export interface RpcErrorOptions {
  readonly id?: unknown
  readonly data?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

export function rpcError(
  status: number,
  code: number,
  message: string,
  { id = null, data, headers = {} }: RpcErrorOptions = {},
): CoreResponse {
  const error = { code, message, ...(data === undefined ? {} : { data }) }
  return sendRpc(status, JSON.stringify({ jsonrpc: '2.0', id: isId(id) ? id : null, error }), headers)
}

/** A result that is text already. */
export function sendResult(id: string | number, result: string): CoreResponse {
  return sendRpc(200, `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${result}}`, {})
}

export function sendRpc(
  status: number,
  body: string | null,
  headers: Readonly<Record<string, string>>,
): CoreResponse {
  const always = { ...headers, 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' }
  return { status, headers: body === null ? always : { ...always, 'content-type': 'application/json' }, body }
}

function isId(id: unknown): boolean {
  return typeof id === 'string' || typeof id === 'number'
}
