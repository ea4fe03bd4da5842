import { checkOption, isAbsentOr } from '../check-option.js'
import { AgentDiscoveryError } from '../errors.js'
import { formatLinkset, type LinksetTarget } from '../linkset/format-linkset.js'
import { formatLinkHeader } from '../link/format-link-header.js'
import { formatLlmsTxt, type LlmsTxtToFormat } from '../llms-txt/format-llms-txt.js'
import type { ContentSignal } from '../robots/content-signal.js'
import { baseUrl, resolveWebUrl } from '../web-url.js'
import { escapeHtml } from './escape-html.js'
import { PUBLICATIONS, publicationOf, type PublishedKind } from './publication.js'

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

const SIGNALS = ['search', 'ai-input', 'ai-train'] as const

interface Described extends PublishedResource {
  /** As given, if it is a path of this site; else absolute. */
  readonly reference: string
  readonly absolute: string
  readonly type: string | undefined
}

/**
 * Derives every discovery signal from one description.
 *
 * @throws {AgentDiscoveryError} `invalid_url`; `invalid_option` for a resource of an unknown kind or with an unusable URL
 */
export function describeSite(description: SiteDescription): SiteSignals {
  const site = baseUrl(description.url)
  checkOption('name', typeof (description.name as unknown) === 'string', 'a text')
  checkOption('resources', Array.isArray(description.resources), 'a list')
  checkPreferences(description)
  const resources = description.resources.map((resource, index) => describe(resource, index, site))
  const signals = {
    linkHeader: linkHeader(resources),
    htmlHead: htmlHead(resources),
    htmlNotice: htmlNotice(description, resources),
    llmsTxt: llmsTxt(description, resources),
    apiCatalog: apiCatalog(site, resources),
    ard: ard(site, resources),
    robotsLines: robotsLines(description, resources),
  }
  return { ...signals, documents: documents(site, resources, signals) }
}

/** What is not `true` or `y` must not become a refusal by accident, nor a name a line of its own. */
function checkPreferences({ contentSignal = {}, contentUsage = {} }: SiteDescription): void {
  for (const name of SIGNALS)
    checkOption(`contentSignal.${name}`, isAbsentOr('boolean', contentSignal[name]), 'true or false')
  const isUsage = Object.entries(contentUsage).every(
    ([name, answer]) => /^[a-z][a-z0-9_.*-]*$/.test(name) && ['y', 'n'].includes(answer),
  )
  checkOption('contentUsage', isUsage, 'names of categories with y or n')
}

function describe(resource: PublishedResource, index: number, site: URL): Described {
  const option = `resources[${index}]`
  if (!Object.hasOwn(PUBLICATIONS, resource.kind)) {
    throw new AgentDiscoveryError('invalid_option', `The kind of ${option} cannot be published.`, { option })
  }
  const { mediaType = '' } = resource
  checkOption(`${option}.mediaType`, /^[\x20-\x7e]*$/.test(mediaType), 'printable ASCII')
  const resolved = resolveWebUrl(resource.url, site)
  if ('problem' in resolved) {
    throw new AgentDiscoveryError(
      'invalid_option',
      `The URL of ${option} is unusable: ${resolved.problem}.`,
      { option },
    )
  }
  const { href, origin, pathname, search, hash } = resolved.url
  const reference = origin === site.origin ? pathname + search + hash : href
  return {
    ...resource,
    reference,
    absolute: href,
    type: resource.mediaType ?? publicationOf(resource.kind).mediaType,
  }
}

function linkHeader(resources: readonly Described[]): string {
  return formatLinkHeader(
    resources.flatMap(({ kind, reference, type, title }) => {
      const { relation } = publicationOf(kind)
      if (relation === undefined) return []
      return [
        {
          target: reference,
          rels: [relation],
          ...(type !== undefined && { type }),
          ...(title !== undefined && { title }),
        },
      ]
    }),
  )
}

function htmlHead(resources: readonly Described[]): string {
  return resources
    .map(headElement)
    .filter((element) => element !== '')
    .join('\n')
}

function headElement({ kind, reference, type, title }: Described): string {
  const { relation, meta } = publicationOf(kind)
  if (meta !== undefined) return `<meta name="${meta}" content="${escapeHtml(reference)}">`
  if (relation === undefined) return ''
  const optional = [
    type === undefined ? '' : ` type="${escapeHtml(type)}"`,
    title === undefined ? '' : ` title="${escapeHtml(title)}"`,
  ]
  return `<link rel="${relation}" href="${escapeHtml(reference)}"${optional.join('')}>`
}

function htmlNotice({ name, notice }: SiteDescription, resources: readonly Described[]): string {
  const manifest = resources.find(({ kind }) => kind === 'ahp-manifest')
  if (!manifest) return ''
  const text = notice ?? `AI agents can talk to ${name} directly. What it offers is described in`
  const link = `<a href="${escapeHtml(manifest.reference)}" rel="ahp-manifest">${escapeHtml(manifest.title ?? 'its agent manifest')}</a>`
  return `<section class="ahp-notice" aria-label="AI Agent Notice" hidden style="display:none">${escapeHtml(text)} ${link}.</section>`
}

function llmsTxt(
  { name, summary, llmsTxt: extra }: SiteDescription,
  resources: readonly Described[],
): string {
  const links = resources
    .filter(({ kind }) => kind !== 'llms-txt' && kind !== 'sitemap')
    .map(({ kind, absolute, title }) => ({ title: title ?? kind, url: absolute, notes: kind }))
  return formatLlmsTxt({
    title: name,
    ...(summary !== undefined && { summary }),
    ...(extra?.details && { details: extra.details }),
    sections: [...(extra?.sections ?? []), ...(links.length > 0 ? [{ name: 'Agent resources', links }] : [])],
  })
}

function apiCatalog(site: URL, resources: readonly Described[]): SiteSignals['apiCatalog'] {
  const links = new Map<string, LinksetTarget[]>()
  for (const { kind, absolute, type, title } of resources) {
    const { catalogued } = publicationOf(kind)
    if (catalogued === undefined) continue
    const target = {
      href: absolute,
      ...(type !== undefined && { type }),
      ...(title !== undefined && { title }),
    }
    links.set(catalogued, [...(links.get(catalogued) ?? []), target])
  }
  return formatLinkset(links.size === 0 ? [] : [{ anchor: site.href, links }])
}

function ard(site: URL, resources: readonly Described[]): SiteSignals['ard'] {
  const listed = resources.filter(({ kind }) => publicationOf(kind).listed)
  return {
    entries: listed.map(({ kind, absolute, type, title }, index) => ({
      identifier: `urn:air:${site.hostname}:${kind}:${index + 1}`,
      displayName: title ?? kind,
      type,
      url: absolute,
    })),
  }
}

function robotsLines(
  { contentSignal, contentUsage }: SiteDescription,
  resources: readonly Described[],
): string {
  const signals = SIGNALS.flatMap((name) => {
    const allowed = contentSignal?.[name]
    return allowed === undefined ? [] : [`${name}=${allowed ? 'yes' : 'no'}`]
  })
  const usage = Object.entries(contentUsage ?? {}).map(([name, answer]) => `${name}=${answer}`)
  const group = [
    ...(signals.length > 0 ? [`Content-Signal: ${signals.join(', ')}`] : []),
    ...(usage.length > 0 ? [`Content-Usage: ${usage.join(', ')}`] : []),
  ]
  const pointers = resources.flatMap(({ kind, absolute }) => {
    const { robots } = publicationOf(kind)
    return robots === undefined ? [] : [`${robots}: ${absolute}`]
  })
  const blocks = [group.length > 0 ? ['User-agent: *', ...group] : [], pointers].filter(
    (lines) => lines.length > 0,
  )
  return blocks.map((lines) => `${lines.join('\n')}\n`).join('\n')
}

/** RFC 9727, 4.2. */
const API_CATALOG_TYPE = 'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"'

/** The document of a kind lies where the first resource of that kind is. */
function documents(
  site: URL,
  resources: readonly Described[],
  { llmsTxt, apiCatalog, ard, robotsLines }: Omit<SiteSignals, 'documents'>,
): readonly SiteDocument[] {
  const at = (kind: PublishedKind, contentType: string, body: string): readonly SiteDocument[] => {
    const resource = resources.find((candidate) => candidate.kind === kind)
    const url = resource && new URL(resource.absolute)
    return url?.origin === site.origin ? [{ path: url.pathname, contentType, body }] : []
  }
  const json = (value: object): string => `${JSON.stringify(value, null, 2)}\n`
  return [
    ...at('llms-txt', 'text/markdown; charset=utf-8', llmsTxt),
    ...at('api-catalog', API_CATALOG_TYPE, json(apiCatalog)),
    ...at('ai-catalog', 'application/json', json(ard)),
    ...(robotsLines === ''
      ? []
      : [{ path: '/robots.txt', contentType: 'text/plain; charset=utf-8', body: robotsLines }]),
  ]
}
