import type { Capability, Integration, Mode, ValidationIssue } from '@doorplate/ahp-manifest'
import { ConverseError, invalidOption } from '../converse-error.js'
import { checkNames, checkRecord, checkSignal } from './check-option.js'
import { requireAllowed, type StatedSignals } from './content-use.js'
import { Conversation } from './conversation.js'
import type { FoundManifest } from './find-manifest.js'
import type { AcceptedReply, AskOptions, JobHandle, JobOptions, Reply, Session } from './reply.js'
import { SiteAccess, type VisitedSite } from './site-access.js'
import { shownUrl, siteUrl, webUrl } from './site-url.js'
import type { UntrustedText } from './untrusted-text.js'
import type { DiscoveryMechanism } from './visit-options.js'

/** What a site offers to read. */
export interface SiteContent {
  /** The final URL. */
  readonly url: string
  /** The media type, without parameters; empty if the site does not say. */
  readonly mediaType: string
  readonly text: UntrustedText
  readonly contentSignals: StatedSignals
}

const CONTENT_TYPES = 'text/markdown, text/plain, application/json, text/html;q=0.5, */*;q=0.1'

/** A site that was visited: what it offers, and whoever answers there. */
export class Site {
  /** As far as it can be used. Every text in it was written by the site. */
  readonly manifest: FoundManifest['manifest']
  /** The final URL of the manifest, which everything in it resolves against. */
  readonly manifestUrl: string
  readonly foundBy: DiscoveryMechanism
  /** What the site should improve, and what to mind. */
  readonly warnings: readonly ValidationIssue[]
  readonly #site: VisitedSite
  readonly #access: SiteAccess
  readonly #conversation: Conversation

  /** @internal */
  constructor(site: VisitedSite) {
    const { manifest, url, foundBy, warnings } = site.found
    this.manifest = manifest
    this.manifestUrl = url
    this.foundBy = foundBy
    this.warnings = [...warnings, ...foreignEndpoints(site)]
    this.#site = site
    this.#access = new SiteAccess(site)
    this.#conversation = new Conversation(site, this.#access)
  }

  get name(): UntrustedText | undefined {
    return this.manifest.name
  }

  /** The modes that can be used: `MODE1` alone where the version of the protocol is not known. */
  get modes(): readonly Mode[] {
    return this.manifest.modes
  }

  get capabilities(): readonly Capability[] {
    return this.manifest.capabilities
  }

  get contentSignals(): StatedSignals {
    return this.manifest.content_signals
  }

  /** Other protocols that the manifest declares, such as `mcp` and `openapi`, with absolute URLs. */
  get integrations(): ReadonlyMap<string, Integration> {
    const usable = Object.entries(this.manifest.integrations).flatMap(([name, integration]) => {
      const url = webUrl(integration.url, this.manifestUrl)
      return url ? [[name, { ...integration, url: url.href }] as const] : []
    })
    return new Map(usable)
  }

  /**
   * Asks the concierge. Without a capability the one is chosen that suits the query best, never one that acts.
   *
   * @throws {ConverseError} whatever is no reply of the site: `no_capability`, `rate_limited`, `refused_by_signal`,
   * `credential_refused`, `invalid_response`, `network_error` and the like
   */
  async ask(capability: string | undefined, query: string, options: AskOptions = {}): Promise<Reply> {
    checkRecord('options', options)
    const { session = this.session(), ...rest } = options
    if (!this.#conversation.owns(session)) throw invalidOption('session', 'must be a session of this site')
    return session.ask(capability, query, rest)
  }

  /** A conversation of several turns: a new one, or the one of this id. */
  session(id?: string): Session {
    return this.#conversation.session(id)
  }

  /**
   * Work that was accepted earlier, maybe by another process: `wait` collects it. Nothing is sent before. The credential goes
   * with it where the capability needs it, and where the site knows no such job without it.
   *
   * @throws {ConverseError} `invalid_option`, `foreign_poll` where the handle is one of another site
   */
  job(handle: JobHandle, options: JobOptions = {}): AcceptedReply {
    return this.#conversation.job(handle, options)
  }

  /** Reads the content of MODE1: what `endpoints.content` names, else `/llms.txt`. */
  async readContent(options: { readonly signal?: AbortSignal } = {}): Promise<SiteContent> {
    checkNames(options, ['signal'])
    checkSignal(options.signal)
    requireAllowed(this.#site.options.uses, this.contentSignals, shownUrl(this.manifestUrl))
    const target = siteUrl(this.manifest.endpoints.content ?? '/llms.txt', this.manifestUrl)
    if (!target) {
      const message = 'The manifest names content that may not be requested.'
      throw new ConverseError('blocked_url', message, { url: shownUrl(this.manifestUrl) })
    }
    const request = { method: 'GET', headers: { accept: CONTENT_TYPES }, signal: options.signal } as const
    const { status, url, headers, body } = await this.#access.read(target.href, request)
    const shown = shownUrl(url)
    if (status !== 200) {
      const isGuess = this.manifest.endpoints.content === undefined
      const message = `${isGuess ? 'The manifest names no content. ' : ''}Status ${status} from ${shown}`
      throw new ConverseError('http_status', message, { url: shown, status })
    }
    return {
      url,
      mediaType: (headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase() ?? '',
      text: new TextDecoder().decode(body),
      contentSignals: this.contentSignals,
    }
  }
}

/** Questions to another origin than that of the visited URL are seen by somebody else. */
function foreignEndpoints({ found: { manifest, url }, origin }: VisitedSite): ValidationIssue[] {
  const places = [
    ['', url],
    ['/endpoints/converse', manifest.endpoints.converse],
    ['/endpoints/content', manifest.endpoints.content],
  ] as const
  return places.flatMap(([path, reference]): ValidationIssue[] => {
    const target = reference === undefined ? undefined : webUrl(reference, url)
    if (!target || target.origin === origin) return []
    const message = `This leads to ${target.origin}, not to ${origin}: neither header fields nor the credential are sent there.`
    return [{ level: 'warning', code: 'foreign_origin', path, message, rule: 'AHP01-AUTH-001' }]
  })
}
