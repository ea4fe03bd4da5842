import type { ManifestV1, SitemapIndexV1 } from '@doorplate/aadp-schemas'
import {
  counted,
  inconclusive,
  judged,
  skipped,
  type Finding,
  type Outcome,
} from '@doorplate/conformance-kit'
import type { Rule } from '../requirements.js'
import { findingsOf } from '../site/examination.js'
import type { DocumentReading } from '../site/read-document.js'
import type { Site } from '../site/site.js'
import type { SitemapWalk } from '../site/walk-sitemap.js'
import { conclude, type SiteCheck } from './site-check.js'

/** The way from the index to the entities, over every sitemap and every page. */
export function traversalChecks(rule: Rule): readonly SiteCheck[] {
  return [
    {
      id: 'traversal.sitemap_index',
      title: 'The sitemap index is valid and its checksum is right',
      requirements: [rule('HTTP-007'), rule('IDX-001'), rule('IDX-010')],
      needs: ['discovery.manifest_usable'],
      hint: 'The checksum covers the value of sitemaps and nothing else, in its canonical form (RFC 8785).',
      run: judgeIndex,
    },
    {
      id: 'traversal.sitemap',
      title: 'Every page of every sitemap is valid, of its type, and its checksum is right',
      requirements: [rule('HTTP-008'), rule('MAP-001'), rule('MAP-014'), rule('MAP-015')],
      needs: ['traversal.sitemap_index'],
      hint: 'The checksum covers the value of items and nothing else; a page has at most 100 items.',
      run: judgeSitemaps,
    },
    {
      id: 'traversal.entity',
      title: 'Entities are valid, their checksums right, and they are what their sitemaps say',
      requirements: [
        rule('HTTP-009'),
        rule('ENT-001'),
        rule('ENT-010'),
        rule('ENT-011'),
        rule('ENT-012'),
        rule('MAP-018'),
      ],
      needs: ['traversal.sitemap'],
      hint: 'Make the sitemap item and the entity document from one record; the checksum covers data and nothing else.',
      run: judgeEntities,
    },
    {
      id: 'traversal.namespaces',
      title: 'Every id begins with the type of its sitemap',
      requirements: [rule('MAP-016')],
      needs: ['traversal.sitemap'],
      hint: 'Write ids as type:name, with the type of the sitemap that lists them.',
      run: async (site) => judgeWalks(site, wrongNamespaces),
    },
    {
      id: 'traversal.unique_listing',
      title: 'No type is listed twice, and no id in two sitemaps',
      requirements: [rule('IDX-012'), rule('MAP-019')],
      needs: ['traversal.sitemap'],
      hint: 'Give each type one sitemap, with pages, and list an entity in the sitemap of its own type only.',
      run: judgeUniqueListing,
    },
    {
      id: 'traversal.counts',
      title: 'The counts of the index are the numbers of entities listed',
      requirements: [rule('IDX-013')],
      needs: ['traversal.sitemap'],
      hint: 'Count from the same source that the pages come from, or leave count out.',
      run: judgeCounts,
    },
    {
      id: 'traversal.updated_at',
      title: 'Entities and their sitemap items agree on when they changed',
      requirements: [rule('MAP-020')],
      needs: ['traversal.sitemap'],
      hint: 'Make the sitemap item and the entity document from one record.',
      run: async (site) => {
        const { examinations, cutShort } = await site.entities()
        return conclude(findingsOf(examinations, 'sync'), cutShort)
      },
    },
  ]
}

/** What only a manifest of 1.0 says about types. */
export function resourceChecks(rule: Rule): readonly SiteCheck[] {
  return [
    {
      id: 'traversal.resources',
      title: 'Every type among the resources of the manifest is in the sitemap index',
      requirements: [rule('MAN-030')],
      needs: ['traversal.sitemap_index'],
      hint: 'Add a sitemap for the type (an empty one will do), or take the type out of the manifest.',
      run: judgeResources,
    },
  ]
}

async function judgeIndex(site: Site): Promise<Outcome> {
  const { reading, examination } = await site.index()
  const findings = examination.findings.document ?? []
  if (findings.length > 0) return judged(findings)
  const { length } = (reading.data as SitemapIndexV1).sitemaps
  if (length === 0)
    return inconclusive('The index lists no sitemap: nothing can be said about an empty site.')
  return judged([], counted(length, 'sitemap'))
}

async function judgeSitemaps(site: Site): Promise<Outcome> {
  const { walks, cutShort } = await site.sitemaps()
  const examinations = walks.flatMap((walk) => walk.examinations)
  const findings = findingsOf(examinations, 'document')
  const listed = walks.reduce((sum, walk) => sum + walk.items.length, 0)
  if (findings.length === 0 && listed === 0 && cutShort === undefined) {
    return inconclusive('The sitemaps list no entity: nothing can be said about an empty site.')
  }
  return conclude(
    findings,
    cutShort,
    `${counted(listed, 'entity', 'entities')} on ${counted(examinations.length, 'page')} of ${counted(walks.length, 'sitemap')}`,
  )
}

async function judgeEntities(site: Site): Promise<Outcome> {
  const { examinations, listed, read, cutShort } = await site.entities()
  return conclude(
    findingsOf(examinations, 'document'),
    cutShort,
    `${read} of ${counted(listed, 'entity', 'entities')}`,
  )
}

async function judgeWalks(
  site: Site,
  judge: (walk: SitemapWalk, site: Site) => readonly Finding[],
): Promise<Outcome> {
  const { walks, cutShort } = await site.sitemaps()
  return conclude(
    walks.flatMap((walk) => judge(walk, site)),
    cutShort,
  )
}

function wrongNamespaces({ entry, items }: SitemapWalk, { rule }: Site): readonly Finding[] {
  return items
    .filter(({ id }) => !id.startsWith(`${entry.type}:`))
    .map(({ id, pageUrl }) => ({
      requirement: rule('MAP-016'),
      url: pageUrl,
      message: `The sitemap of type ${entry.type} lists ${id}.`,
    }))
}

async function judgeUniqueListing(site: Site): Promise<Outcome> {
  const { walks, cutShort } = await site.sitemaps()
  const { reading } = await site.index()
  return conclude([...repeatedTypes(site, reading), ...repeatedIds(site, walks)], cutShort)
}

function repeatedTypes({ rule }: Site, { url, data }: DocumentReading): readonly Finding[] {
  const types = (data as SitemapIndexV1).sitemaps.map(({ type }) => type)
  return types.flatMap((type, index) => {
    if (types.indexOf(type) === index) return []
    const pointer = `/sitemaps/${index}/type`
    return [{ requirement: rule('IDX-012'), url, pointer, message: `${type} is listed before.` }]
  })
}

function repeatedIds({ rule }: Site, walks: readonly SitemapWalk[]): readonly Finding[] {
  const firstSeen = new Map<string, SitemapWalk>()
  const findings: Finding[] = []
  for (const walk of walks) {
    for (const { id, pageUrl } of walk.items) {
      const earlier = firstSeen.get(id) ?? walk
      firstSeen.set(id, earlier)
      if (earlier === walk) continue
      const message = `${id} is also listed in the sitemap at ${earlier.entry.url}.`
      findings.push({ requirement: rule('MAP-019'), url: pageUrl, message })
    }
  }
  return findings
}

async function judgeCounts(site: Site): Promise<Outcome> {
  const { reading } = await site.index()
  const { walks, cutShort } = await site.sitemaps()
  if (walks.every(({ entry }) => entry.count === undefined)) return skipped('The index gives no counts.')
  const findings = walks.flatMap(({ entry, items, cutShort: isPart }, index) => {
    if (entry.count === undefined || entry.count === items.length || isPart !== undefined) return []
    const message = `count of ${entry.type} is ${entry.count}; its sitemap lists ${items.length}.`
    return [
      { requirement: site.rule('IDX-013'), url: reading.url, pointer: `/sitemaps/${index}/count`, message },
    ]
  })
  return conclude(findings, cutShort)
}

async function judgeResources(site: Site): Promise<Outcome> {
  const { url, data } = await site.manifest()
  const { resources } = data as ManifestV1
  if (resources === undefined) return skipped('The manifest names no resources.')
  const index = (await site.index()).reading.data as SitemapIndexV1
  const indexed = new Set(index.sitemaps.map(({ type }) => type))
  return judged(
    resources.flatMap(({ type }, position) => {
      if (indexed.has(type)) return []
      const pointer = `/resources/${position}/type`
      return [
        { requirement: site.rule('MAN-030'), url, pointer, message: `${type} has no sitemap in the index.` },
      ]
    }),
  )
}
