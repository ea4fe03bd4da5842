import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, expectTypeOf, it } from 'vitest'
import { isConverseError } from '../../src/converse-error.js'
import {
  createBm25Retriever,
  createKnowledge,
  type Hit,
  type Knowledge,
  type KnowledgeOptions,
  type Passage,
  type Retriever,
} from '../../src/knowledge.js'
import type { Answerer } from '../../src/outcome.js'
import { createSqliteRetriever } from '../../src/sqlite.js'
import { SHOP } from './shop.js'
import { answerIn, turnOf, urlsOf } from './turn.js'

async function idsFor(knowledge: Knowledge, query: string): Promise<string[]> {
  return (await knowledge.retrieve(query)).map(({ passage }) => passage.id)
}

describe.each([
  ['in memory', createBm25Retriever],
  ['in SQLite', () => createSqliteRetriever(':memory:')],
])('knowledge %s', (_, createRetriever) => {
  it('retrieves the best passages first', async () => {
    const knowledge = await createKnowledge({ documents: SHOP, retriever: createRetriever() })
    const hits = await knowledge.retrieve('refund to my card', { limit: 3 })
    expect(hits[0]?.passage.id).toBe('/returns#refund-times')
    expect(hits.length).toBeLessThanOrEqual(3)
    expect(hits.map(({ score }) => score)).toEqual(hits.map(({ score }) => score).sort((a, b) => b - a))
  })

  it('answers', async () => {
    const knowledge = await createKnowledge({ documents: SHOP, retriever: createRetriever() })
    const answer = answerIn(await knowledge.answer(turnOf('How long does a refund take?')))
    expect(urlsOf(answer)).toEqual(['/returns#refund-times'])
    expect(answerIn(await knowledge.answer(turnOf('unicorns'))).sources).toBeUndefined()
  })

  it('takes documents in, replaces and forgets them, and keeps the ids of the others', async () => {
    const knowledge = await createKnowledge({ documents: SHOP, retriever: createRetriever() })
    const before = await idsFor(knowledge, 'subscription')
    await knowledge.add({ url: '/news', content: '# News\n\nWe have penguins.\n\n## More\n\nMany penguins.' })
    expect(await idsFor(knowledge, 'penguins')).toHaveLength(2)
    await knowledge.add({ url: '/news', content: '# News\n\nWe have walruses.' })
    expect(await idsFor(knowledge, 'penguins')).toEqual([])
    expect(await idsFor(knowledge, 'walruses')).toEqual(['/news'])
    expect(await knowledge.remove('/news')).toBe(true)
    expect(await knowledge.remove('/news')).toBe(false)
    expect(await idsFor(knowledge, 'walruses')).toEqual([])
    expect(knowledge.documents).toHaveLength(SHOP.length)
    expect(await idsFor(knowledge, 'subscription')).toEqual(before)
  })

  it('retrieves in one language when told', async () => {
    const documents = ['de', 'en'].map((language) => ({
      url: `/${language}`,
      language,
      content: '# API\n\nThe API.',
    }))
    const knowledge = await createKnowledge({ documents, retriever: createRetriever() })
    const hits = await knowledge.retrieve('API', { language: 'de-CH' })
    expect(hits.map(({ passage }) => passage.id)).toEqual(['/de'])
  })

  it.each([
    '"',
    "'; DROP TABLE passages; --",
    'a OR b',
    'NEAR(x, 2)',
    '^x*',
    'headings: refund',
    '\0',
    '{}()[]',
    '-refund',
  ])('takes a query for words only: %j', async (query) => {
    const knowledge = await createKnowledge({ documents: SHOP, retriever: createRetriever() })
    expect(Array.isArray(await knowledge.retrieve(query))).toBe(true)
    expect(await idsFor(knowledge, 'refund card')).toContain('/returns#refund-times')
  })
})

describe('createSqliteRetriever', () => {
  it('keeps a file that later runs use, without what is no longer there', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'knowledge-'))
    try {
      const path = join(folder, 'knowledge.db')
      const first = createSqliteRetriever(path)
      await createKnowledge({ documents: SHOP, retriever: first })
      first.close()

      const alone = createSqliteRetriever(path)
      expect((await alone.search('refund card', { limit: 1 }))[0]?.passage.id).toBe('/returns#refund-times')
      alone.close()

      const second = createSqliteRetriever(path)
      const knowledge = await createKnowledge({ documents: SHOP.slice(1), retriever: second })
      expect(await idsFor(knowledge, 'refund card')).not.toContain('/returns#refund-times')
      expect(await idsFor(knowledge, 'pause')).toEqual(['/subscription#pause-a-subscription'])
      second.close()
    } finally {
      await rm(folder, { recursive: true })
    }
  })
})

describe('a retriever of another kind', () => {
  /** Meaning as a vector: here the counts of letters, in earnest what an embedding model gives. */
  function embed(text: string): number[] {
    const counts = new Array<number>(26).fill(0)
    for (const letter of text.toLowerCase().match(/[a-z]/g) ?? []) {
      const at = letter.charCodeAt(0) - 97
      counts[at] = (counts[at] ?? 0) + 1
    }
    const norm = Math.hypot(...counts) || 1
    return counts.map((count) => count / norm)
  }

  class EmbeddingRetriever implements Retriever {
    readonly #vectors = new Map<string, { readonly passage: Passage; readonly vector: readonly number[] }>()

    add(passages: readonly Passage[]): void {
      for (const passage of passages) {
        const text = [passage.title, ...passage.headings].join(' ')
        this.#vectors.set(passage.id, { passage, vector: embed(text) })
      }
    }

    remove(ids: readonly string[]): void {
      for (const id of ids) this.#vectors.delete(id)
    }

    search(query: string, { limit }: { readonly limit: number }): Hit[] {
      const asked = embed(query)
      const hits = [...this.#vectors.values()].map(({ passage, vector }) => {
        const score = vector.reduce((sum, value, index) => sum + value * (asked[index] ?? 0), 0)
        return { passage, score, relevant: score > 0.9 }
      })
      return hits.sort((a, b) => b.score - a.score).slice(0, limit)
    }
  }

  it('says itself what is relevant', async () => {
    const documents = [
      { url: '/returns', title: 'Returns', content: 'Within 30 days.' },
      { url: '/jobs', title: 'Jobs', content: 'None at the moment.' },
    ]
    const knowledge = await createKnowledge({ documents, retriever: new EmbeddingRetriever() })
    // Not a word in common: an anagram.
    const answer = answerIn(await knowledge.answer(turnOf('Unrester?')))
    expect(answer).toMatchObject({ answer: 'Within 30 days.', sources: [{ url: '/returns' }] })
    expect(answerIn(await knowledge.answer(turnOf('zzz'))).sources).toBeUndefined()
  })
})

describe('limits', () => {
  const page = (name: string): { url: string; content: string } => ({
    url: `/${name}`,
    content: `# ${name}\n\nSome text.`,
  })

  it.each<[KnowledgeOptions, string]>([
    [{ maxPassages: 2 }, 'knowledge_full'],
    [{ maxCharacters: 25 }, 'knowledge_full'],
  ])('%j keep what is there and refuse the rest', async (limits, code) => {
    const knowledge = await createKnowledge({ ...limits, documents: [page('a'), page('b')] })
    const error: unknown = await knowledge.add(page('c')).catch((error: unknown) => error)
    expect(error).toMatchObject({ code })
    expect(isConverseError(error)).toBe(true)
    expect(await idsFor(knowledge, 'text')).toEqual(['/a', '/b'])
    await knowledge.add(page('a'))
    await knowledge.remove('/b')
    await knowledge.add(page('c'))
    expect(await idsFor(knowledge, 'text')).toEqual(['/a', '/c'])
  })

  it('refuse a document that is too large', async () => {
    const knowledge = await createKnowledge({ maxDocumentCharacters: 10 })
    await expect(knowledge.add({ id: 'x', content: 'x'.repeat(11) })).rejects.toMatchObject({
      code: 'document_too_large',
    })
    const record = { id: 'x', format: 'record', content: { text: 'x'.repeat(11) } } as const
    await expect(knowledge.add(record)).rejects.toMatchObject({ code: 'document_too_large' })
  })

  it.each<[string, object]>([
    ['maxPassages', { maxPassages: 0 }],
    ['maxPassages', { maxPassages: 1.5 }],
    ['maxCharacters', { maxCharacters: NaN }],
    ['maxDocumentCharacters', { maxDocumentCharacters: -1 }],
    ['language', { language: 'not a tag' }],
    ['documents', { documents: 'text' }],
    ['documents', { documents: {} }],
    ['retriever.add', { retriever: {} }],
    ['nothing', { nothing: 1 }],
  ])('refuse the option %s: %j', async (option, options) => {
    await expect(createKnowledge(options)).rejects.toMatchObject({ code: 'invalid_option', option })
  })

  it.each([0, -1, 1.5, NaN, 1001])('refuse %d passages', async (limit) => {
    const knowledge = await createKnowledge()
    await expect(knowledge.retrieve('x', { limit })).rejects.toMatchObject({
      code: 'invalid_option',
      option: 'limit',
    })
  })
})

it('an aborted retrieval rejects with the reason of its signal', async () => {
  const knowledge = await createKnowledge()
  const reason = new Error('gone')
  await expect(knowledge.retrieve('x', { signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
})

it('lists its documents for llms.txt', async () => {
  const knowledge = await createKnowledge({
    documents: [...SHOP, { id: 'no-url', content: '# Nowhere\n\nText.' }],
  })
  expect(knowledge.llmsTxtContent()).toEqual({
    sections: [
      {
        title: 'Documents',
        links: [
          { title: 'Returns and refunds', url: '/returns', note: 'Sending things back.' },
          { title: 'Subscriptions', url: '/subscription' },
          { title: 'Command line tool', url: '/tool' },
        ],
      },
    ],
  })
})

it('is what a concierge takes', () => {
  expectTypeOf<Knowledge['answer']>().toEqualTypeOf<Answerer>()
})
