import type { EntityV1, SitemapIndexV1, SitemapV1 } from '@doorplate/aadp-schemas'
import type { DocumentState } from '../site/examine-headers.js'
import type { ExaminedKind } from '../site/examination.js'
import type { DocumentReading } from '../site/read-document.js'
import type { Site } from '../site/site.js'

/** A document that further requests are made for. */
export interface ExampleDocument {
  readonly kind: ExaminedKind
  readonly reading: DocumentReading
  readonly state: DocumentState
}

/** Sitemaps of which the first page is an example. */
const MAX_SITEMAPS = 3

/** The index, the first pages of some sitemaps and an entity of some types. All of them were found to be usable. */
export async function exampleDocuments(site: Site): Promise<readonly ExampleDocument[]> {
  const { reading } = await site.index()
  const index = reading.data as SitemapIndexV1
  const { walks } = await site.sitemaps()
  const { examples } = await site.entities()
  const usable = walks.filter(
    ({ firstPage, examinations }) => firstPage && !examinations[0]?.findings.document,
  )
  return [
    { kind: 'sitemap-index', reading, state: { checksum: index.checksum, time: index.generated_at } },
    ...usable.slice(0, MAX_SITEMAPS).flatMap(({ firstPage }) => (firstPage ? [pageExample(firstPage)] : [])),
    ...examples.map((example) => entityExample(example.reading, example.entity)),
  ]
}

export async function exampleReadings(site: Site): Promise<readonly DocumentReading[]> {
  return (await exampleDocuments(site)).map(({ reading }) => reading)
}

/** The first example of each kind: enough where a server is hardly broken for one type alone. */
export async function oneOfEachKind(site: Site): Promise<readonly ExampleDocument[]> {
  const all = await exampleDocuments(site)
  return all.filter(({ kind }, position) => all.findIndex((other) => other.kind === kind) === position)
}

function pageExample(reading: DocumentReading): ExampleDocument {
  const page = reading.data as SitemapV1
  return { kind: 'sitemap', reading, state: { checksum: page.checksum, time: page.generated_at } }
}

function entityExample(reading: DocumentReading, entity: EntityV1): ExampleDocument {
  return { kind: 'entity', reading, state: { checksum: entity.checksum, time: entity.updated_at } }
}
