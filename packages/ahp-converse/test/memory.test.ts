import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, it } from 'vitest'
import { defineConcierge, type RateText } from '../src/server.js'
import { CAPABILITIES } from './bookshop.js'

const VISITORS = 100_000
const FULL_AFTER = 30_000
const MAX_GROWTH_BYTES = 4_000_000

it('a hundred thousand visitors, questions, agents and sessions take no more memory than the first', async () => {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  const plenty: RateText = '1000/day'
  const concierge = defineConcierge({
    name: 'The Book Shelf',
    publicUrl: 'https://books.test',
    contentSignals: { ai_train: false, ai_input: true, search: true, attribution_required: true },
    content: '# The Book Shelf',
    capabilities: CAPABILITIES,
    verify: () => null,
    limits: { unauthenticated: { ask: plenty }, agent: plenty, maxKeys: 10_000 },
    sessions: { maxSessions: 10_000 },
    cache: { maxBytes: 4_000_000 },
  })
  const visit = async (index: number): Promise<void> => {
    const address = `10.${index >> 16}.${(index >> 8) & 255}.${index & 255}`
    const request = {
      capability: 'search',
      query: `a book about ${index}`,
      context: { requesting_agent: `agent ${index}` },
    }
    const { status } = await concierge.converse({ request, caller: { address } })
    if (status !== 200) throw new Error(`Visitor ${index} was answered ${status}`)
  }
  for (let index = 0; index < FULL_AFTER; index++) await visit(index)
  collect()
  const before = process.memoryUsage().heapUsed
  for (let index = FULL_AFTER; index < FULL_AFTER + VISITORS; index++) await visit(index)
  collect()
  const growth = process.memoryUsage().heapUsed - before
  expect(growth).toBeLessThan(MAX_GROWTH_BYTES)
}, 120_000)
