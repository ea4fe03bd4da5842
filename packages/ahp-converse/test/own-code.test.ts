import { afterEach, describe, expect, it } from 'vitest'
import type { Answerer } from '../src/outcome.js'
import type { CapabilityConfig, ConciergeConfig } from '../src/server.js'
import { withinTokens } from '../src/server/within-tokens.js'
import { type Bookshop, openBookshop } from './bookshop.js'

let opened: Bookshop | undefined

afterEach(async () => {
  await opened?.close()
  opened = undefined
})

async function open(
  answer: unknown,
  own: Partial<CapabilityConfig> = {},
  config: Partial<ConciergeConfig> = {},
): Promise<Bookshop> {
  const capability = { description: 'Answers.', mode: 'MODE2', answer: answer as Answerer, ...own } as const
  opened = await openBookshop({ capabilities: { search: capability }, ...config })
  return opened
}

const ROUND: Record<string, unknown> = {}
ROUND['self'] = ROUND

describe('what answers', () => {
  it.each([
    ['that is no JSON', { n: 1n }],
    ['that goes round in circles', ROUND],
    [
      'that throws',
      {
        toJSON: () => {
          throw new Error('secret')
        },
      },
    ],
    ['that is nothing in JSON', { toJSON: () => undefined }],
  ])('may give a payload %s: a fault that the visitor is told of', async (_, payload) => {
    const answer = () => ({ answer: 'Done.', payload })
    const shop = await open(answer, { responseTypes: ['x-shop/shelf'] })
    const { status, json } = await shop.ask({ query: 'x' })
    expect({ status, json }).toMatchObject({ status: 500, json: { code: 'concierge_error' } })
    expect(shop.faults).toMatchObject([{ stage: 'answer', error: { code: 'invalid_outcome' } }])
  })

  it.each([null, undefined, 'text', 7])('may give %s: a fault of its own', async (outcome) => {
    const shop = await open(() => outcome)
    expect(await shop.ask({ query: 'x' })).toMatchObject({ status: 500, json: { code: 'concierge_error' } })
    expect(shop.faults).toMatchObject([{ stage: 'answer', error: { code: 'invalid_outcome' } }])
  })

  it('may use its payload again, and changes no answer that is kept', async () => {
    const payload = { shelf: '' }
    const answer: Answerer = ({ query }) => {
      payload.shelf = query
      return { answer: 'Done.', payload }
    }
    const shop = await open(answer, { responseTypes: ['x-shop/shelf'], cache: true })
    await shop.ask({ query: 'one' })
    await shop.ask({ query: 'two' })
    expect((await shop.ask({ query: 'one' })).json).toMatchObject({
      meta: { cached: true },
      response: { payload: { shelf: 'one' } },
    })
  })

  it('may change its history, and changes no session', async () => {
    const answer: Answerer = ({ history }) => {
      const texts = history.map((past) => past.answer)
      const own = history as unknown as { answer: string }[]
      for (const past of own) past.answer = 'forged'
      own.reverse()
      own.push({ answer: 'planted' })
      return { answer: `${texts.length}: ${texts.join()}` }
    }
    const shop = await open(answer)
    const { json } = await shop.ask({ query: 'one' })
    const { session_id } = json as { session_id: string }
    await shop.ask({ query: 'two', session_id })
    expect((await shop.ask({ query: 'three', session_id })).json).toMatchObject({
      response: { answer: '2: 0: ,1: 0: ' },
    })
  })

  it.each([
    '/\\\\evil.example',
    '/\t/evil.example',
    '/\n/evil.example',
    'https://a.example/ b',
    '\\\\evil.example',
  ])('names no source that leads elsewhere than it seems to: %j', async (url) => {
    const shop = await open(() => ({ answer: 'Done.', sources: [{ url }] }))
    expect((await shop.ask({ query: 'x' })).status).toBe(500)
    expect(shop.faults).toMatchObject([{ error: { code: 'invalid_outcome' } }])
  })

  it('is cut in a time that does not grow with what is cut off', () => {
    const text = 'word '.repeat(20_000_000)
    for (let times = 0; times < 20_000; times++) expect(withinTokens(text, 10).length).toBeLessThan(41)
  })
})

describe('what verifies', () => {
  const asks = (token: string) => ({ headers: { authorization: `Bearer ${token}` } })

  it("may give undefined for nobody: then it is refused, and counted, as a credential that is nobody's", async () => {
    const shop = await open(() => ({ answer: 'Done.' }), {}, { verify: (() => undefined) as never })
    const statuses: number[] = []
    for (let index = 0; index < 11; index++)
      statuses.push((await shop.ask({ query: 'x' }, asks(`guess-${index}`))).status)
    expect(statuses).toEqual([...Array<number>(10).fill(401), 429])
  })

  it('is not asked for more guesses of an address than it may make, when they come all at once', async () => {
    let asked = 0
    const verify = async (): Promise<null> => {
      asked++
      await new Promise((resolve) => setTimeout(resolve, 20))
      return null
    }
    const shop = await open(() => ({ answer: 'Done.' }), {}, { verify })
    const seen = await Promise.all(
      Array.from({ length: 40 }, (_, index) => shop.ask({ query: 'x' }, asks(`guess-${index}`))),
    )
    expect(asked).toBe(10)
    expect(seen.filter(({ status }) => status === 401)).toHaveLength(10)
    expect(seen.filter(({ status }) => status === 429)).toHaveLength(30)
  })

  it('is asked for all that are good, however many come at once', async () => {
    const verify = async (): Promise<{ id: string }> => {
      await new Promise((resolve) => setTimeout(resolve, 1))
      return { id: 'reader' }
    }
    const shop = await open(() => ({ answer: 'Done.' }), {}, { verify })
    const seen = await Promise.all(Array.from({ length: 60 }, () => shop.ask({ query: 'x' }, asks('good'))))
    expect(seen.filter(({ status }) => status === 200)).toHaveLength(60)
  })

  it.each([true, {}, { id: '' }, { id: 7 }, 'reader'])(
    'that gives %j is at fault, and lets nobody in',
    async (found) => {
      const config = { verify: (() => found) as never }
      const shop = await open(() => ({ answer: 'Secret.' }), { auth: 'required' }, config)
      expect(await shop.ask({ query: 'x' }, asks('any'))).toMatchObject({
        status: 503,
        json: { code: 'unavailable' },
      })
      expect(shop.faults).toMatchObject([{ stage: 'verify' }])
    },
  )
})
