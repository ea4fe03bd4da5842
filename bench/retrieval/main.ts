import { createKnowledge, type Knowledge, type Retriever } from '@doorplate/ahp-converse/knowledge'
import { createSqliteRetriever } from '@doorplate/ahp-converse/sqlite'
import { measure } from '../src/measure.js'
import { report, type Comparison, type Figure } from '../src/report.js'
import { podFolder, sectionsOf, type Section } from './pod.js'

const DEPTH = 10
const PASSAGES = 1000

const folder = podFolder()
const faq = sectionsOf(folder, (file) => /^perlfaq\d\.pod$/.test(file))
const figures: Figure[] = []

/** The questions of the Perl FAQ, each of which is answered by one text: is it found, without its heading? */
for (const [name, retriever] of Object.entries({
  'BM25 in memory': undefined,
  'SQLite FTS5': createSqliteRetriever(':memory:'),
})) {
  const start = performance.now()
  const knowledge = await knowledgeOf(faq, (_, index) => ({ id: String(index), title: '' }), retriever)
  figures.push({
    name: `${name}: indexing ${faq.length} answers`,
    value: performance.now() - start,
    unit: 'ms',
  })
  figures.push(...(await qualityOf(name, knowledge)))
}

/** What a turn costs that no cache answers: headings and texts, as a site has them. */
const sections = sectionsOf(folder, () => true).filter(({ text }) => text.trim() !== '')
const manual = [...faq, ...sections.filter(({ file }) => !file.startsWith('perlfaq'))].slice(0, PASSAGES)
const knowledge = await knowledgeOf(manual, ({ heading }, index) => ({ url: `/${index}`, title: heading }))
const comparisons: Comparison[] = [await costOf(knowledge)]
figures.push(...(await latencyOf(knowledge)))
await report('retrieval', comparisons, figures)

async function knowledgeOf(
  sections: readonly Section[],
  facts: (
    section: Section,
    index: number,
  ) => { readonly id?: string; readonly url?: string; readonly title: string },
  retriever?: Retriever,
): Promise<Knowledge> {
  const documents = sections.map((section, index) => {
    return { ...facts(section, index), language: 'en', format: 'text' as const, content: section.text }
  })
  return createKnowledge({ documents, ...(retriever !== undefined && { retriever }) })
}

async function qualityOf(name: string, knowledge: Knowledge): Promise<Figure[]> {
  const ranks: number[] = []
  for (const [index, { heading }] of faq.entries()) {
    // A long text is several passages; the best one counts.
    const hits = await knowledge.retrieve(heading, { limit: 5 * DEPTH })
    const found = [...new Set(hits.map(({ passage }) => passage.documentId))].slice(0, DEPTH)
    ranks.push(found.indexOf(String(index)) + 1)
  }
  const mean = (value: (rank: number) => number): number => {
    return ranks.reduce((sum, rank) => sum + (rank === 0 ? 0 : value(rank)), 0) / ranks.length
  }
  return [
    { name: `${name}: MRR@10`, value: mean((rank) => 1 / rank), unit: '' },
    { name: `${name}: nDCG@10`, value: mean((rank) => 1 / Math.log2(rank + 1)), unit: '' },
    { name: `${name}: recall@5`, value: mean((rank) => (rank <= 5 ? 1 : 0)), unit: '' },
    { name: `${name}: precision@1`, value: mean((rank) => (rank === 1 ? 1 : 0)), unit: '' },
  ]
}

function turnOf(query: string): Parameters<Knowledge['answer']>[0] {
  return {
    capability: 'faq',
    query,
    contentType: 'text/answer',
    history: [],
    sessionId: 'session',
    maxTokens: 1000,
    signal: new AbortController().signal,
  }
}

async function costOf(knowledge: Knowledge): Promise<Comparison> {
  const inTurn = (use: (query: string) => unknown): (() => unknown) => {
    let next = 0
    return () => use(faq[next++ % faq.length]?.heading ?? '')
  }
  const measurements = await measure([
    { name: 'extractive answer', run: inTurn((query) => knowledge.answer(turnOf(query))) },
    { name: 'retrieve', run: inTurn((query) => knowledge.retrieve(query)) },
  ])
  return { title: `A question over ${PASSAGES} sections`, measurements, limit: 'retrieve' }
}

async function latencyOf(knowledge: Knowledge): Promise<Figure[]> {
  const times: number[] = []
  for (const { heading } of faq) {
    const start = performance.now()
    await knowledge.answer(turnOf(heading))
    times.push(performance.now() - start)
  }
  times.sort((a, b) => a - b)
  return [0.5, 0.95].map((share) => {
    const value = times[Math.floor(share * times.length)] ?? NaN
    return {
      name: `extractive answer over ${PASSAGES} sections, p${100 * share}`,
      value: 1000 * value,
      unit: 'us',
    }
  })
}
