import type { Credential } from '../server/credential.js'

/** A JSON-RPC message without the credential in `params._meta.auth`, and the credential: no handler sees it. */
export function takeMetaAuth(message: object): {
  readonly message: object
  readonly credential?: Credential
} {
  const { params } = message as { params?: unknown }
  const meta = memberOf(params, '_meta')
  const auth = memberOf(meta, 'auth')
  if (auth === undefined) return { message }
  const { auth: _, ...rest } = meta as Record<string, unknown>
  const without = { ...message, params: { ...(params as object), _meta: rest } }
  const value = typeof auth === 'string' ? /^(?:bearer +)?([\x21-\x7e]+) *$/i.exec(auth)?.[1] : undefined
  if (value === undefined) return { message: without }
  return { message: without, credential: { scheme: 'bearer', value } }
}

function memberOf(value: unknown, name: string): unknown {
  const isObject = typeof value === 'object' && value !== null
  return isObject && Object.hasOwn(value, name) ? (value as Record<string, unknown>)[name] : undefined
}
