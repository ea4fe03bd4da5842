import { createKnowledge, type Passage } from '@doorplate/ahp-converse/knowledge'
import { defineConcierge, type Concierge } from '@doorplate/ahp-converse/server'
import { MockEmbeddingModelV3, MockLanguageModelV3 } from 'ai/test'
import { describe, expect, test, vi } from 'vitest'
import { aadp as members } from '../examples/aadp-server/members-only.js'
import { answererOf } from '../examples/ahp-converse/answer-with.js'
import { site } from '../examples/ahp-converse/concierge-options.js'
import { createEmbeddingRetriever } from '../examples/ahp-converse/embedding-retriever.js'
import { concierge as withFaces } from '../examples/ahp-converse/faces.js'
import { concierge as withLimits } from '../examples/ahp-converse/limits.js'
import { outcomes } from '../examples/ahp-converse/outcomes.js'
import { judge } from '../examples/ahp-conformance/agent.js'
import { outputOf } from './run-example.js'

/** Parts of examples that are shown without what is around them. */
describe('a fragment', () => {
  test('about limits declares them', async () => {
    expect(withLimits.manifest.rate_limits).toMatchObject({ unauthenticated: { requests: '30/minute' } })
    expect(await ask(withLimits)).toMatchObject({ status: 'success' })
  })

  test('about faces declares them', () => {
    expect(withFaces.manifest.integrations).toMatchObject({
      mcp: { url: '/mcp' },
      openapi: { url: '/openapi.json' },
    })
  })

  test('about outcomes is sent as it is', async () => {
    const [words, feed, question] = await Promise.all(
      outcomes.map((outcome) =>
        ask(
          defineConcierge({
            ...site,
            capabilities: {
              hours: {
                description: 'Answers.',
                mode: 'MODE2',
                responseTypes: ['application/feed', 'text/answer'],
                acceptFallback: true,
                answer: () => outcome,
              },
            },
          }),
        ),
      ),
    )
    expect(words).toMatchObject({ response: { sources: [{ title: 'Dune' }] } })
    expect(feed).toMatchObject({
      response: { content_type: 'application/feed', payload: { items: [{ title: 'Dune' }] } },
    })
    expect(question).toMatchObject({ status: 'clarification_needed' })
  })

  test('about embeddings finds what is close', async () => {
    const model = new MockEmbeddingModelV3({
      maxEmbeddingsPerCall: 10,
      doEmbed: ({ values }) =>
        Promise.resolve({
          embeddings: values.map((text) => (/sand/i.test(text) ? [1, 0] : [0, 1])),
          warnings: [],
        }),
    })
    const retriever = createEmbeddingRetriever(model)
    const passage = (id: string, text: string): Passage =>
      ({ id, blocks: [{ kind: 'paragraph', text }] }) as never
    await retriever.add([passage('dune', 'Sand and worms.'), passage('emma', 'A matchmaker.')])
    const hits = await retriever.search('Where is sand?', { limit: 1 })
    expect(hits).toMatchObject([{ passage: { id: 'dune' }, relevant: true }])
    await retriever.remove(['dune'])
    expect(await retriever.search('Where is sand?', { limit: 5 })).toHaveLength(1)
  })

  test('about a model answers by quotation when the model fails, and says so on the console', async () => {
    using printed = vi.spyOn(console, 'error').mockImplementation(() => undefined)
    const knowledge = await createKnowledge({
      documents: [{ url: '/refunds', content: '# Refunds\n\nA refund takes five days.' }],
    })
    const model = new MockLanguageModelV3({ doGenerate: () => Promise.reject(new Error('away')) })
    const answer = answererOf(model, knowledge)
    const concierge = defineConcierge({
      ...site,
      capabilities: { hours: { description: 'Answers.', mode: 'MODE2', ...(answer && { answer }) } },
    })
    expect(JSON.stringify(await ask(concierge, 'How long does a refund take?'))).toContain(
      'A refund takes five days.',
    )
    expect(printed.mock.calls).toEqual([
      [expect.stringContaining('failed at model of "hours": Error: away.')],
    ])
  })

  test('about members lets nobody else in', async () => {
    vi.stubEnv('MEMBERS_KEY', 'k')
    const statusOf = async (path: string, headers: Record<string, string>): Promise<number> =>
      (await members.handleRequest(new Request(`https://books.example/ai/v1.0/${path}`, { headers }))).status
    for (const path of ['sitemaps/draft.json', 'entities/draft/emma.json']) {
      expect(await statusOf(path, {})).toBe(401)
      expect(await statusOf(path, { 'x-members-key': 'other' })).toBe(401)
      expect(await statusOf(path, { 'x-members-key': 'k' })).toBe(200)
    }
    vi.unstubAllEnvs()
    expect(await statusOf('sitemaps/draft.json', {})).toBe(401)
  })

  test('about a library that takes a fetch asks through it', async () => {
    await expect(outputOf('safe-fetch/ky.js', 'http://169.254.169.254/')).rejects.toMatchObject({
      stderr: expect.stringContaining("code: 'blocked'") as string,
    })
  })

  test('about an agent gives it the tasks', async () => {
    const asked: string[] = []
    const report = await judge({
      ask: (url) => {
        asked.push(url)
        return Promise.resolve()
      },
    })
    expect(asked.length).toBeGreaterThan(5)
    expect(report.status).not.toBe('passed')
  })
})

async function ask(concierge: Concierge, query = 'When?'): Promise<unknown> {
  const { body } = await concierge.converse({
    request: { capability: 'hours', query, context: { accept_types: ['application/feed', 'text/answer'] } },
    caller: { address: '192.0.2.1' },
  })
  return typeof body === 'string' ? JSON.parse(body) : body
}
