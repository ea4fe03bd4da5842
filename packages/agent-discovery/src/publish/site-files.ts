import { formatLinkset, type LinksetTarget } from '../linkset/format-linkset.js'
import { formatLlmsTxt } from '../llms-txt/format-llms-txt.js'
import type { DescribedResource } from './described-resource.js'
import { publicationOf, type PublishedKind } from './publication.js'
import { SIGNALS, type SiteDescription, type SiteDocument, type SiteSignals } from './site-description.js'

export function llmsTxt(
  { name, summary, llmsTxt: extra }: SiteDescription,
  resources: readonly DescribedResource[],
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

export function apiCatalog(site: URL, resources: readonly DescribedResource[]): SiteSignals['apiCatalog'] {
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

export function ard(site: URL, resources: readonly DescribedResource[]): SiteSignals['ard'] {
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

export function robotsLines(
  { contentSignal, contentUsage }: SiteDescription,
  resources: readonly DescribedResource[],
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
export function documents(
  site: URL,
  resources: readonly DescribedResource[],
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
