import { discoverFrom, type DiscoveryResult } from './discover.js'
import {
  DISCOVER_OPTION_NAMES,
  startDiscovery,
  type DiscoverOptions,
  type Discovery,
} from './start-discovery.js'
import { AgentDiscoveryError } from '../errors.js'
import { checkOption } from '../options/check-option.js'
import { checkOptionNames, type MemberNames } from '../options/check-option-names.js'
import { fromResponse } from '../response/from-response.js'
import { isErrorPage } from '../llms-txt/error-page.js'
import { isHtml } from '../kinds/markup.js'
import { loadPage, type PageOutcome } from './load-page.js'
import { htmlToMarkdown } from '../markdown/html-to-markdown.js'
import { toMarkdownSection } from '../output/markdown-section.js'
import type { Resource } from '../resources/resource.js'

/** Options of `readPage`. */
export interface ReadPageOptions extends DiscoverOptions {
  /** `html` leaves the page as it is and asks for nothing else; `markdown` gives Markdown and probes. */
  readonly format: 'html' | 'markdown'
}

/** Where Markdown came from: the site by negotiation or by a link, or this package. */
export type MarkdownSource = 'negotiated' | 'alternate' | 'converted'

/** Markdown of a site that was no copy of its page. */
export interface RejectedMarkdown {
  readonly source: MarkdownSource
  readonly reasons: readonly string[]
}

interface PageMarkdown {
  readonly markdown: string
  readonly source: MarkdownSource
  readonly truncated: boolean
}

/** A page, and what it and its origin offer to agents. */
export interface ReadPageResult {
  readonly url: string
  readonly finalUrl: string
  readonly status: number
  readonly mediaType?: string
  /** The page's own text, or Markdown that ends with a section of what was found. Written by the site: data. */
  readonly content: string
  /** The content was longer than the limit. */
  readonly truncated: boolean
  readonly resources: readonly Resource[]
  /** For Markdown: where it came from. */
  readonly markdownSource?: MarkdownSource
  /** Markdown of the site that was no copy of the page, with the reasons. */
  readonly rejectedMarkdown?: readonly RejectedMarkdown[]
  /** For Markdown: everything that was found. */
  readonly discovery?: DiscoveryResult
}

/** Text that is longer is cut off before it is converted. */
const MAX_CONVERTED_LENGTH = 4_194_304
const ACCEPT_MARKDOWN = 'text/markdown, text/html;q=0.8, application/xhtml+xml;q=0.7, */*;q=0.5'

/**
 * Fetches a page and what it says to agents. HTML is returned untouched, with the resources beside it. Markdown is the site's
 * own where that is real, else it is converted; a section "Agent resources" is appended.
 *
 * @throws {AgentDiscoveryError} `invalid_option`, `invalid_url`; `page_unreachable`; rejects with the signal's reason when aborted
 */
export async function readPage(url: string | URL, options: ReadPageOptions): Promise<ReadPageResult> {
  checkOptionNames(options, { ...DISCOVER_OPTION_NAMES, format: true } satisfies MemberNames<ReadPageOptions>)
  const { format } = options
  checkOption('format', ['html', 'markdown'].includes(format), 'html or markdown')
  const discovery = startDiscovery(url, options)
  return format === 'html' ? readHtml(discovery) : readMarkdown(discovery)
}

async function readHtml(discovery: Discovery): Promise<ReadPageResult> {
  const page = reached(await loadPage(discovery.url, { ...discovery.pageOptions, keepText: true }))
  const text = page.text ?? ''
  const { resources } = fromResponse(page.finalUrl, page.headers, text)
  return { ...summary(discovery, page), content: text, resources }
}

async function readMarkdown(discovery: Discovery): Promise<ReadPageResult> {
  const rejected: RejectedMarkdown[] = []
  const negotiated = reached(
    await loadPage(discovery.url, { ...discovery.pageOptions, keepText: true, accept: ACCEPT_MARKDOWN }),
  )
  const offered = negotiated.mediaType === 'text/markdown' ? negotiated.text : undefined
  const faults = offered === undefined ? [] : markdownFaults(offered)
  if (offered !== undefined && faults.length === 0)
    return finish(discovery, withoutDocument(negotiated), rejected, {
      markdown: offered,
      source: 'negotiated',
      truncated: negotiated.truncated,
    })

  const page =
    offered === undefined
      ? negotiated
      : reached(await loadPage(discovery.url, { ...discovery.pageOptions, keepText: true }))
  if (offered !== undefined)
    rejected.push({ source: 'negotiated', reasons: [...faults, ...overlapFaults(offered, page)] })
  const alternate = await readAlternate(discovery, page, rejected)
  return finish(discovery, page, rejected, alternate ?? converted(page))
}

function converted({ text = '', scanned, finalUrl, truncated }: PageOutcome): PageMarkdown {
  if (!scanned && !isHtml(text)) return { markdown: text, source: 'converted', truncated }
  const html = text.slice(0, MAX_CONVERTED_LENGTH)
  return {
    markdown: htmlToMarkdown(html, { url: scanned?.baseUrl ?? finalUrl }),
    source: 'converted',
    truncated: truncated || html.length < text.length,
  }
}

/** The content of the result is no resource beside it. */
function withoutDocument({ document: _document, ...page }: PageOutcome): PageOutcome {
  return page
}

/** The site's own Markdown copy, where the page links to one on its origin and that is real. */
async function readAlternate(
  discovery: Discovery,
  page: PageOutcome,
  rejected: RejectedMarkdown[],
): Promise<PageMarkdown | undefined> {
  const { resources } = fromResponse(page.finalUrl, page.headers, page.text ?? '')
  const copy = resources.find((resource) => isCopy(resource))
  if (!copy) return undefined
  const { maxPageBytes } = discovery.pageOptions
  const { finding, text } = await discovery.prober.examine(copy.url, 'markdown', maxPageBytes)
  if (finding.state === 'verified' && text !== undefined)
    return { markdown: text, source: 'alternate', truncated: finding.evidence?.truncated === true }
  rejected.push({ source: 'alternate', reasons: finding.reasons })
  return undefined
}

function isCopy({ kind, crossOrigin, ephemeral, sources }: Resource): boolean {
  return (
    kind === 'markdown' &&
    !crossOrigin &&
    !ephemeral &&
    sources.some(({ relations }) => relations?.includes('alternate'))
  )
}

async function finish(
  discovery: Discovery,
  page: PageOutcome,
  rejectedMarkdown: readonly RejectedMarkdown[],
  { markdown, source, truncated }: PageMarkdown,
): Promise<ReadPageResult> {
  const result = await discoverFrom(page, discovery)
  const section = toMarkdownSection(result)
  const content = section === '' ? markdown : `${markdown.trimEnd()}\n\n${section}`
  return {
    ...summary(discovery, page),
    content,
    truncated,
    resources: result.resources,
    markdownSource: source,
    rejectedMarkdown,
    discovery: result,
  }
}

function summary(
  { url }: Discovery,
  { finalUrl, status, mediaType, truncated }: PageOutcome,
): Pick<ReadPageResult, 'url' | 'finalUrl' | 'status' | 'mediaType' | 'truncated'> {
  return { url, finalUrl, status: status ?? 0, truncated, ...(mediaType !== undefined && { mediaType }) }
}

function reached(page: PageOutcome): PageOutcome {
  if (page.state !== 'error') return page
  throw new AgentDiscoveryError(
    'page_unreachable',
    `The page could not be fetched: ${page.reasons.join(', ')}.`,
    { cause: page.cause },
  )
}

/** Why Markdown that a site gave for a page is no copy of it. */
function markdownFaults(markdown: string): readonly string[] {
  if (markdown.trim() === '') return ['empty']
  if (isHtml(markdown)) return ['html-body']
  return isErrorPage(markdown) ? ['not-found-heading'] : []
}

/** A copy of the page shares a word with its title. That alone condemns nothing: titles are translated and shortened. */
function overlapFaults(markdown: string, page: PageOutcome): readonly string[] {
  const words = new Set((page.scanned?.title ?? '').toLowerCase().match(/[\p{L}\p{N}]{3,}/gu))
  if (words.size === 0) return []
  const lead =
    markdown
      .slice(0, 4096)
      .toLowerCase()
      .match(/[\p{L}\p{N}]{3,}/gu) ?? []
  return lead.some((word) => words.has(word)) ? [] : ['no-overlap-with-html-title']
}
