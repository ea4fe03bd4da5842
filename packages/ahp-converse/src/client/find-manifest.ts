import {
  isAhpManifestError,
  MANIFEST_MEDIA_TYPE,
  MANIFEST_PATH,
  parseManifest,
  type AhpManifestError,
  type ParsedManifest,
  type ValidationIssue,
} from '@doorplate/ahp-manifest'
import { ConverseError, isConverseError } from '../converse-error.js'
import type { Received } from './follow-redirects.js'
import { manifestLinksInField, manifestLinksInPage } from './manifest-links.js'
import type { Requester } from './requester.js'
import { shownUrl, siteUrl } from './site-url.js'
import type { DiscoveryMechanism } from './visit-options.js'

export interface FoundManifest {
  readonly manifest: ParsedManifest['manifest']
  /** Its final URL. */
  readonly url: string
  readonly foundBy: DiscoveryMechanism
  readonly warnings: readonly ValidationIssue[]
}

export interface FindManifestOptions {
  readonly requester: Requester
  readonly discovery: readonly DiscoveryMechanism[]
  readonly headers: Readonly<Record<string, string>>
  readonly signal: AbortSignal | undefined
}

/** Looks for the manifest in the given ways. Throws `no_manifest`, `a2a_agent_card`, or what kept the site from answering. */
export async function findManifest(start: URL, options: FindManifestOptions): Promise<FoundManifest> {
  const search = new Search(start, options)
  for (const mechanism of options.discovery) {
    const found = await search.by(mechanism)
    if (found) return found
  }
  throw search.failure()
}

/** At most this many references of one kind are followed: a page can hold thousands. */
const MAX_REFERENCES = 5

class Search {
  readonly #start: URL
  readonly #options: FindManifestOptions
  /** What each URL gave, so that nothing is asked for twice. */
  readonly #visited = new Map<string, Promise<Attempt>>()
  #otherDocument: AhpManifestError | undefined
  #failure: ConverseError | undefined
  /** Of the first response. */
  #status: number | undefined

  constructor(start: URL, options: FindManifestOptions) {
    this.#start = start
    this.#options = options
  }

  async by(mechanism: DiscoveryMechanism): Promise<FoundManifest | undefined> {
    switch (mechanism) {
      case 'well-known':
        return this.#firstManifest(mechanism, [new URL(MANIFEST_PATH, this.#start)])
      case 'accept':
        return this.#firstManifest(mechanism, [this.#start], `${MANIFEST_MEDIA_TYPE}, ${PAGE_TYPES}`)
      case 'link':
        return this.#byLinks(mechanism)
      case 'notice':
        return this.#byNotices(mechanism)
    }
  }

  /** Link fields of whatever was answered so far, then of the page, then its `link` elements. */
  async #byLinks(mechanism: DiscoveryMechanism): Promise<FoundManifest | undefined> {
    for (const attempt of [...this.#visited.values()]) {
      const found = await this.#firstManifest(mechanism, linkedFrom(await attempt))
      if (found) return found
    }
    const page = await this.#page()
    if (page.parsed) return asFound(page, mechanism)
    return this.#firstManifest(mechanism, [...linkedFrom(page), ...referencesIn(page, 'links')])
  }

  async #byNotices(mechanism: DiscoveryMechanism): Promise<FoundManifest | undefined> {
    return this.#firstManifest(mechanism, referencesIn(await this.#page(), 'notices'))
  }

  #page(): Promise<Attempt> {
    return this.#get(this.#start, PAGE_TYPES)
  }

  async #firstManifest(
    mechanism: DiscoveryMechanism,
    urls: readonly URL[],
    accept?: string,
  ): Promise<FoundManifest | undefined> {
    for (const url of urls.slice(0, MAX_REFERENCES)) {
      const attempt = await this.#get(url, accept ?? MANIFEST_TYPES)
      const found = asFound(attempt, mechanism)
      if (found) return found
    }
    return undefined
  }

  #get(url: URL, accept: string): Promise<Attempt> {
    const key = `${accept} ${url.href}`
    const known = this.#visited.get(key)
    if (known) return known
    const attempt = this.#request(url, accept)
    this.#visited.set(key, attempt)
    return attempt
  }

  async #request(url: URL, accept: string): Promise<Attempt> {
    const { requester, headers, signal } = this.#options
    const scopedHeaders = url.origin === this.#start.origin ? headers : {}
    try {
      const response = await requester.send(url.href, {
        method: 'GET',
        headers: { accept },
        scopedHeaders,
        signal,
      })
      this.#status ??= response.status
      return { response, parsed: this.#read(response) }
    } catch (error) {
      if (!isConverseError(error) || error.code === 'rate_limited') throw error
      this.#failure ??= error
      return { response: undefined, parsed: undefined }
    }
  }

  #read({ status, body }: Received): ParsedManifest | undefined {
    if (status !== 200) return undefined
    try {
      return parseManifest(new TextDecoder().decode(body), { maxLength: MAX_MANIFEST_LENGTH })
    } catch (error) {
      if (!isAhpManifestError(error)) throw error
      if (this.#otherDocument?.code !== 'a2a_agent_card') this.#otherDocument = error
      return undefined
    }
  }

  failure(): ConverseError {
    const url = shownUrl(this.#start)
    const status = this.#status
    if (status === undefined)
      return this.#failure ?? new ConverseError('no_manifest', NOT_FOUND + url, { url })
    const cause = this.#otherDocument
    const isCard = cause?.code === 'a2a_agent_card'
    const why = isCard || cause?.code === 'invalid_manifest' ? ` ${cause.message}` : ''
    return new ConverseError(isCard ? 'a2a_agent_card' : 'no_manifest', `${NOT_FOUND}${url}.${why}`, {
      url,
      status,
      ...(cause && { cause }),
    })
  }
}

interface Attempt {
  readonly response: Received | undefined
  readonly parsed: ParsedManifest | undefined
}

const NOT_FOUND = 'No AHP manifest was found at '
const MAX_MANIFEST_LENGTH = 262_144
const MANIFEST_TYPES = `application/json, ${MANIFEST_MEDIA_TYPE}`
const PAGE_TYPES = 'text/html, */*;q=0.5'

function asFound({ response, parsed }: Attempt, foundBy: DiscoveryMechanism): FoundManifest | undefined {
  return response && parsed && { ...parsed, url: response.url, foundBy }
}

function linkedFrom({ response }: Attempt): URL[] {
  if (!response) return []
  return resolved(manifestLinksInField(response.headers['link'] ?? ''), response.url)
}

function referencesIn({ response }: Attempt, kind: 'links' | 'notices'): URL[] {
  if (!response) return []
  const page = manifestLinksInPage(new TextDecoder().decode(response.body))
  const base = siteUrl(page.base ?? '', response.url)?.href ?? response.url
  return resolved(page[kind], base)
}

function resolved(references: readonly string[], base: string): URL[] {
  const urls = references.map((reference) => siteUrl(reference, base)).filter((url) => url !== undefined)
  return [...new Map(urls.map((url) => [url.href, url])).values()]
}
