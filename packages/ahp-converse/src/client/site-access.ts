import type { Capability } from '@doorplate/ahp-manifest'
import { onlyAnswers } from './choose-capability.js'
import { credentialHeaders } from './credential-headers.js'
import type { FoundManifest } from './find-manifest.js'
import type { Received } from './follow-redirects.js'
import type { Requester, RequestToSite } from './requester.js'
import type { Session } from './reply.js'
import type { ResolvedOptions } from './visit-options.js'

export interface VisitedSite {
  readonly found: FoundManifest
  readonly requester: Requester
  /** Of the URL that was visited: what the caller's header fields and credential are for. */
  readonly origin: string
  readonly options: ResolvedOptions
}

/** Sends requests to one site with the caller's header fields, and with the credential where it is needed. */
export class SiteAccess {
  readonly #site: VisitedSite
  /** Capabilities that turned out to need the credential, and sessions in which it was sent. */
  readonly #needCredential = new WeakSet<Capability | Session>()

  constructor(site: VisitedSite) {
    this.#site = site
  }

  /**
   * A request of a session; about a capability, if given. After a 401 it is sent again with the credential, and so is a poll
   * after a 404: that a job exists is told to nobody but its owner.
   */
  async send(
    url: string,
    session: Session,
    capability: Capability | undefined,
    request: RequestToSite,
  ): Promise<Received> {
    if (this.#needsCredential(session, capability)) return this.#sendWithCredential(url, session, request)
    const received = await this.read(url, request)
    const isRefused = received.status === 401 || (received.status === 404 && request.method === 'GET')
    if (!isRefused || this.#site.options.credential === undefined) return received
    if (capability && received.status === 401) this.#needCredential.add(capability)
    return this.#sendWithCredential(url, session, request)
  }

  /** A request without the credential. */
  read(url: string, request: RequestToSite): Promise<Received> {
    return this.#site.requester.send(url, { ...request, scopedHeaders: this.#ownHeaders(url) })
  }

  #needsCredential(session: Session, capability: Capability | undefined): boolean {
    const { credential, sendCredential } = this.#site.options
    if (credential === undefined) return false
    return (
      sendCredential === 'always' ||
      this.#needCredential.has(session) ||
      (capability !== undefined &&
        (this.#needCredential.has(capability) ||
          capability.auth_required === true ||
          !onlyAnswers(capability)))
    )
  }

  async #sendWithCredential(url: string, session: Session, request: RequestToSite): Promise<Received> {
    const { found, requester, origin, options } = this.#site
    const secret = await credentialHeaders(url, {
      credential: options.credential,
      authentication: found.manifest.authentication,
      origins: [origin, ...options.credentialOrigins],
    })
    this.#needCredential.add(session)
    return requester.send(url, { ...request, scopedHeaders: { ...this.#ownHeaders(url), ...secret } })
  }

  #ownHeaders(url: string): Readonly<Record<string, string>> {
    return new URL(url).origin === this.#site.origin ? this.#site.options.headers : {}
  }
}
