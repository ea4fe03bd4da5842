import type { Authentication } from '@doorplate/ahp-manifest'
import { ConverseError, invalidOption } from '../converse-error.js'
import { shownUrl } from './site-url.js'
import type { Credential } from './visit-options.js'

export interface CredentialScope {
  readonly credential: Credential | undefined
  /** As the manifest declares it. */
  readonly authentication: Authentication | undefined
  readonly origins: readonly string[]
}

/** The header that carries a credential to a URL. Throws `credential_refused` where that is none of the origins it is for. */
export async function credentialHeaders(
  url: string,
  { credential, authentication, origins }: CredentialScope,
): Promise<Readonly<Record<string, string>>> {
  const { origin } = new URL(url)
  if (authentication === 'signed_request')
    throw new ConverseError(
      'unsupported_authentication',
      `The site asks for signed requests, which AHP 0.1 names and does not define: ${shownUrl(url)}`,
      { url: shownUrl(url) },
    )
  if (!origins.includes(origin))
    throw new ConverseError(
      'credential_refused',
      `The credential is not for ${origin}, where the manifest sends it. List that origin in credentialOrigins if it may have it.`,
      { url: shownUrl(url) },
    )
  const secret = typeof credential === 'function' ? await credential() : credential
  if (typeof secret !== 'string' || !/^[\x21-\x7e]+$/.test(secret))
    throw invalidOption(
      'credential',
      'must be visible ASCII text without spaces, or a function that gives it',
    )
  return authentication === 'api_key' ? { 'x-ahp-key': secret } : { authorization: `Bearer ${secret}` }
}
