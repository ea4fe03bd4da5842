import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Bookshop, openBookshop } from './bookshop.js'

const CONVERSE = '/agent/converse'
const ANSWERS = [200, 400, 401, 403, 413, 415, 429]

let shop: Bookshop

beforeAll(async () => {
  const limits = { unauthenticated: { read: '1000000/minute', ask: '1000000/minute' } } as const
  shop = await openBookshop({ limits, answerTimeoutMs: 5 })
})
afterAll(() => shop.close())

/** Members as a request has them, or anything else in their place. */
function member(right: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  return fc.oneof({ weight: 3, arbitrary: right }, { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 2 }) })
}

const request = fc.record(
  {
    ahp: member(fc.constantFrom('0.1', '0.2', '9.9')),
    capability: member(
      fc.constantFrom('search', 'reviews', 'trailer', 'anything', 'orders', 'question_only', 'nothing'),
    ),
    query: member(fc.string({ unit: 'binary', maxLength: 200 })),
    session_id: member(fc.constantFrom(null, '', 'x', '__proto__')),
    clarification: member(fc.string()),
    context: member(
      fc.record(
        {
          requesting_agent: member(fc.string()),
          max_tokens: member(fc.integer({ min: 1, max: 32_768 })),
          accept_types: member(
            fc.array(fc.constantFrom('text/answer', 'media/*', '*/*', 'x-bookshop/shelf')),
          ),
          locale: member(fc.constantFrom('en', 'de-AT')),
        },
        { requiredKeys: [] },
      ),
    ),
    input: fc.jsonValue({ maxDepth: 2 }),
  },
  { requiredKeys: [] },
)

// Every response seen is checked against both schemas by the shop itself.
describe('whatever the body is', () => {
  it('JSON is answered and makes no fault', async () => {
    await fc.assert(
      fc.asyncProperty(request, async (body) => {
        const { status } = await shop.visit({ method: 'POST', path: CONVERSE, body })
        expect(ANSWERS).toContain(status)
      }),
      { numRuns: 300 },
    )
    expect(shop.faults).toEqual([])
  })

  it('bytes are answered and make no fault', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), async (body) => {
        const { status } = await shop.visit({ method: 'POST', path: CONVERSE, body })
        expect(ANSWERS).toContain(status)
      }),
      { numRuns: 100 },
    )
    expect(shop.faults).toEqual([])
  })

  it('nesting as deep as 8 KB go makes no fault', async () => {
    const nested = '['.repeat(4000) + ']'.repeat(4000)
    for (const input of [nested, `{"a":${nested}}`]) {
      const body = `{"capability":"search","query":"x","input":${input}}`
      expect((await shop.visit({ method: 'POST', path: CONVERSE, body })).status).toBe(200)
    }
    expect(shop.faults).toEqual([])
  })
})
