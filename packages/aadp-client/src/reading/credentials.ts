import type { CredentialProvider } from '../options/client-options.js'
import { AadpClientError, InvalidOptionError } from '../errors.js'
import { withQueryParameter } from '../documents/query-parameter.js'
import type { NamedSecurityScheme } from '../documents/wire.js'

/** How a request carries a credential: as headers, or as a URL that is sent but never shown. */
export interface CarriedCredential {
  readonly headers: Readonly<Record<string, string>>
  readonly url: string
  /** Whether the URL that is sent holds the secret. */
  readonly inUrl: boolean
}

/** The caller's secrets by scheme id, and the only origins that may see them. */
export class Credentials {
  readonly #providers: Readonly<Record<string, CredentialProvider>>
  readonly #origins: ReadonlySet<string>
  readonly #secrets = new Map<string, Promise<unknown>>()

  constructor(providers: Readonly<Record<string, CredentialProvider>>, origins: Iterable<string>) {
    this.#providers = providers
    this.#origins = new Set(origins)
  }

  /** `undefined` when there is no secret for the scheme, or the origin may not see it. */
  async carry(url: URL, { id, scheme }: NamedSecurityScheme): Promise<CarriedCredential | undefined> {
    if (scheme.type === 'none' || !this.#origins.has(url.origin)) return undefined
    const secret = await this.#secret(id)
    if (secret === undefined) return undefined
    if (typeof secret !== 'string') {
      throw new InvalidOptionError('credentials', 'a record of texts, or of functions that give one')
    }
    if (scheme.type === 'oauth2') return inHeader(url, 'authorization', `Bearer ${secret}`)
    return scheme.in === 'header' ? inHeader(url, scheme.name, secret) : inQuery(url, scheme.name, secret)
  }

  #secret(id: string): Promise<unknown> {
    let secret = this.#secrets.get(id)
    if (!secret) {
      const provider = Object.hasOwn(this.#providers, id) ? this.#providers[id] : undefined
      secret = Promise.resolve(typeof provider === 'function' ? provider() : provider)
      this.#secrets.set(id, secret)
    }
    return secret
  }
}

/** Header names that steer the connection or the message; a site may not have a secret written into them. */
const FORBIDDEN =
  /^(?:host|connection|content-.*|transfer-encoding|te|trailer|upgrade|keep-alive|expect|date|via|proxy-.*|sec-.*|if-.*|accept.*|user-agent)$/i

function inHeader(url: URL, name: string, secret: string): CarriedCredential {
  if (
    FORBIDDEN.test(name) ||
    !/^[\w!#$%&'*+.^`|~-]+$/.test(name) ||
    !/^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/.test(secret)
  ) {
    throw new AadpClientError(
      'credential_refused',
      `A credential cannot be sent as the manifest asks: ${url.href}`,
      {
        url: url.href,
      },
    )
  }
  return { url: url.href, headers: { [name.toLowerCase()]: secret }, inUrl: false }
}

function inQuery(url: URL, name: string, secret: string): CarriedCredential {
  return { url: withQueryParameter(url.href, name, secret), headers: {}, inUrl: true }
}
