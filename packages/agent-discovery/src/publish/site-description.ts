import type { LlmsTxtToFormat } from '../llms-txt/format-llms-txt.js'
import type { ContentSignal } from '../robots/content-signal.js'
import type { PublishedKind } from './publication.js'

/** Something that a site offers to agents. */
export interface PublishedResource {
  readonly kind: PublishedKind
  /** Absolute, or relative to the site. */
  readonly url: string
  readonly title?: string
  /** Default: that of the kind. */
  readonly mediaType?: string
}

/** What a site tells agents, once; every signal is derived from it. */
export interface SiteDescription {
  readonly url: string | URL
  readonly name: string
  readonly summary?: string
  readonly resources: readonly PublishedResource[]
  readonly contentSignal?: Pick<ContentSignal, 'search' | 'ai-input' | 'ai-train'>
  /** Usage preferences (IETF aipref), e.g. `{ 'train-ai': 'n' }`. */
  readonly contentUsage?: Readonly<Record<string, 'y' | 'n'>>
  /** The text of the notice in pages. Default: a sentence that names the site. */
  readonly notice?: string
  /** Paragraphs and sections of llms.txt besides the list of resources. */
  readonly llmsTxt?: Pick<LlmsTxtToFormat, 'details' | 'sections'>
}

/** Every signal of a site, ready to be sent. */
export interface SiteSignals {
  /** The value of the `Link` field; empty if nothing has a relation type. */
  readonly linkHeader: string
  /** `<link>` and `<meta>` elements for the head of each page, one a line, in ASCII. */
  readonly htmlHead: string
  /** A passage for the body of each page, for agents and not displayed, as AHP describes it; empty without an AHP manifest. */
  readonly htmlNotice: string
  readonly llmsTxt: string
  /** A document for `/.well-known/api-catalog`, `application/linkset+json`. */
  readonly apiCatalog: { readonly linkset: readonly object[] }
  /** A document for `/.well-known/ard.json`. */
  readonly ard: { readonly entries: readonly object[] }
  /** Lines for robots.txt. A group for everybody is added to those that are there already (RFC 9309, 2.2.1). */
  readonly robotsLines: string
  /** What lies at paths of the site itself: those of the documents above that the description names, and robots.txt. */
  readonly documents: readonly SiteDocument[]
}

/** A document to serve, or to write to a file. */
export interface SiteDocument {
  /** Percent-encoded, without a query. */
  readonly path: string
  readonly contentType: string
  readonly body: string
}

/** The signals of `Content-Signal` that a site can give. */
export const SIGNALS = ['search', 'ai-input', 'ai-train'] as const
