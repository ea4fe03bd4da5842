import type { Principal } from '../turn.js'

/** What a caller proves itself with: `Authorization: Bearer` or `X-AHP-Key`. */
export interface Credential {
  readonly scheme: 'bearer' | 'api_key'
  /** Never logged, kept or given to whoever answers. */
  readonly value: string
}

/** Tells whose credential it is; null for nobody's. Compare secrets in constant time. */
export type VerifyCredential = (credential: Credential) => Principal | null | Promise<Principal | null>

/** The credential in the fields of a request; `Authorization` comes first. */
export function credentialIn(header: (name: string) => string | null): Credential | undefined {
  const authorization = header('authorization')
  const bearer = authorization === null ? null : /^bearer +([\x21-\x7e]+) *$/i.exec(authorization)
  if (bearer?.[1] !== undefined) return { scheme: 'bearer', value: bearer[1] }
  const key = header('x-ahp-key')?.trim()
  return key === undefined || key === '' ? undefined : { scheme: 'api_key', value: key }
}
