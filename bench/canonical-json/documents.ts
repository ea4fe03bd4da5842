/** Parsed JSON, as a client or a server holds it. */
export interface BenchmarkDocument {
  readonly title: string
  readonly value: unknown
}

export function benchmarkDocuments(): readonly BenchmarkDocument[] {
  const values: Readonly<Record<string, unknown>> = {
    'Entity of 1 KB': entity(1),
    'Entity of 20 KB, two-byte text': chapters(100),
    'Sitemap page of 100 items': sitemapPage(100),
    'Items of 1 MB': { items: Array.from({ length: 1000 }, (_, index) => entity(index)) },
  }
  return Object.entries(values).map(([title, value]) => {
    const text = JSON.stringify(value)
    return { title: `${title} (${Buffer.byteLength(text)} bytes)`, value: JSON.parse(text) as unknown }
  })
}

const CHECKSUM = `sha256:${'9f86d081884c7d659a2feaa0c55ad015'.repeat(2)}`

function entity(index: number): object {
  return {
    aadp_version: '1.0',
    id: `article:walk-${index}`,
    type: 'article',
    checksum: CHECKSUM,
    updated_at: '2026-03-01T12:30:00Z',
    canonical_url: `https://walks.example/articles/walk-${index}`,
    locale: 'en',
    data: {
      title: `Walk number ${index}: over the hill and back`,
      author: { id: 'person:7', name: 'Ada Marsh' },
      length_km: 12.5 + index / 10,
      open: true,
      tags: ['hill', 'river', 'north'],
      summary: 'A round walk of half a day, with one steep climb and a long view over the estuary.',
      body: [
        'Start at the station and follow the river north until the second bridge. ',
        'The sign says "no path", but there is one.\n',
        'Keep left at every gate until the church comes into view. ',
        'Tea is served there on most afternoons from Easter to the end of October. ',
        'From the tower the way goes down through the old orchard and along the sea wall, ',
        'where geese rest in winter, to the harbour and the last bus back to the station. ',
        'Dogs are welcome on a lead, and the whole way is signed with a yellow boot on a post.',
      ].join(''),
    },
  }
}

function chapters(count: number): object {
  const sentence = 'Дорога уходила за холм, и никто не знал, куда она ведёт. '
  const sections = Array.from({ length: count }, (_, index) => ({
    heading: `Глава ${index + 1}`,
    text: sentence.repeat(1 + (index % 2)),
  }))
  return { id: 'book:road', type: 'book', title: 'Дорога за холм', sections }
}

function sitemapPage(count: number): object {
  const items = Array.from({ length: count }, (_, index) => ({
    id: `article:walk-${index}`,
    url: `https://walks.example/aadp/v1/entities/article/walk-${index}.json`,
    updated_at: '2026-03-01T12:30:00Z',
    checksum: CHECKSUM,
  }))
  return {
    aadp_version: '1.0',
    type: 'article',
    generated_at: '2026-03-01T12:30:00Z',
    items,
    cursor: { next: 'walk-99' },
  }
}
