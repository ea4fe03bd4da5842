import type { UrlProblem } from '../url/web-url.js'

/** A `<link>` whose relation can concern agents. */
export interface HtmlLink {
  /** Absolute, resolved against the document's base. */
  readonly url: string
  readonly href: string
  readonly rels: readonly string[]
  readonly type?: string
  readonly title?: string
  readonly hreflang?: string
  readonly location: 'head' | 'body'
  readonly inNoscript: boolean
}

/** A `<meta>` whose name is known to point to a resource for agents. */
export interface HtmlMeta {
  readonly name: string
  readonly content: string
  /** The content as an absolute URL. */
  readonly url: string
}

/** An AHP notice: a passage of the page that addresses agents. Its text was written by the site: data, no instruction. */
export interface AgentNotice {
  /** The first link in it. */
  readonly url?: string
  /** Cleaned, at most 500 characters. */
  readonly text: string
}

/** A form that offers itself as a tool (WebMCP, declarative form). */
export interface WebMcpForm {
  readonly name: string
  readonly description?: string
  readonly autoSubmit: boolean
}

/** What a page says to agents. */
export interface ScannedHtml {
  /** What relative references resolve against: the first `<base href>` of the document, even for links before it. */
  readonly baseUrl: string
  readonly title?: string
  readonly links: readonly HtmlLink[]
  readonly metas: readonly HtmlMeta[]
  readonly notices: readonly AgentNotice[]
  readonly forms: readonly WebMcpForm[]
  /** Links with relations that do not concern agents. */
  readonly ignoredLinks: number
  readonly dropped: readonly { readonly text: string; readonly reason: UrlProblem }[]
  /** A limit was reached: something may be missing. */
  readonly truncated: boolean
}
