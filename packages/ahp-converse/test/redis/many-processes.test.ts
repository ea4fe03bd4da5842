import { setTimeout as sleep } from 'node:timers/promises'
import type { ConverseResponse } from '@doorplate/ahp-manifest/messages'
import { hasRedis, startRedis } from '@internal/loopback'
import { describe, expect, it } from 'vitest'
import type { Seen } from '../bookshop.js'
import { type Entry, type Question, type SharedSite, startSharedSite } from './shared-site.js'

const PROCESSES = 3
const JOBS = 60
const VISITORS = 8
const BUYERS = 4
const MAX_TURNS = 10

interface Outcome {
  readonly query: string
  readonly seen: Seen
}

describe.skipIf(!hasRedis)(
  `three processes of a site${hasRedis ? '' : ' (skipped: no redis-server here)'}`,
  () => {
    it('have one limit', { timeout: 60_000 }, async () => {
      await using redis = await startRedis()
      await using site = await startSharedSite(redis.port, PROCESSES)
      const question = { capability: 'talk', query: 'q', principal: 'eager' } as const
      const seen = await Promise.all(Array.from({ length: 130 }, () => site.ask(question)))
      expect(counts(seen.map(({ status }) => status))).toEqual({ 200: 100, 429: 30 })
    })

    it('act once when all of them are asked to at once', { timeout: 60_000 }, async () => {
      await using redis = await startRedis()
      await using site = await startSharedSite(redis.port, PROCESSES)
      const questions = (['order', 'report', 'parcel'] as const).flatMap((capability) =>
        numbers(20).map((number) => ({ capability, query: `${capability} ${number}`, principal: 'hasty' })),
      )
      const seen = await Promise.all(
        questions.flatMap((question) => numbers(PROCESSES).map(() => site.askUntilAnswered(question))),
      )
      expect(counts(seen.map(statusOf))).toEqual({ success: questions.length * PROCESSES })
      const begun = queries(site.ledger().filter(({ step }) => step === 'begun'))
      expect(begun.toSorted()).toEqual(queries(questions).toSorted())
    })

    it('do together what one would have done, although one is killed', { timeout: 120_000 }, async () => {
      await using redis = await startRedis()
      await using site = await startSharedSite(redis.port, PROCESSES)
      const jobs = (['order', 'report', 'parcel'] as const).map((capability) =>
        Promise.all(
          numbers(JOBS).map(async (number): Promise<Outcome> => {
            await sleep(number * 25)
            const query = `${capability} ${number}`
            return { query, seen: await site.askUntilAnswered({ capability, query, principal: 'client' }) }
          }),
        ),
      )
      const talks = numbers(VISITORS).map((number) =>
        useUp(site, { capability: 'talk', query: 'more', address: `198.51.100.${number}` }),
      )
      const purchases = numbers(BUYERS).map((number) =>
        useUp(site, { capability: 'order', query: `purchase of ${number}:`, principal: `buyer-${number}` }),
      )
      await sleep((JOBS * 25) / 2)
      await site.kill()
      const [orders = [], reports = [], parcels = []] = await Promise.all(jobs)
      const sessions = await Promise.all([...talks, ...purchases])

      const begun = site.ledger().filter(({ step }) => step === 'begun')
      const done = counts(queries(site.ledger().filter(({ step }) => step === 'done')))
      const starts = counts(queries(begun))

      // No lost job: each has an end that its visitor was told.
      for (const { query, seen } of [...orders, ...parcels])
        expect([query, statusOf(seen)]).toEqual([query, expect.stringMatching(/^(success|failed|error)$/)])
      expect(counts(statuses(reports))).toEqual({ success: JOBS })
      // No double action, and what is said to be done was done.
      for (const { query } of [...orders, ...parcels])
        expect(starts[query] ?? 0, query).toBeLessThanOrEqual(1)
      for (const { query, seen } of [...orders, ...reports, ...parcels])
        if (statusOf(seen) === 'success') expect([query, done[query]]).not.toEqual([query, undefined])
      // Work that may be begun again keeps its key.
      const keys = new Set(begun.map(({ query, idempotencyKey }) => `${query} ${idempotencyKey}`))
      expect(keys.size).toBe(Object.keys(starts).length)
      // No eleventh turn, neither answered nor begun.
      for (const { answered, last } of sessions) {
        expect(answered).toBeLessThanOrEqual(MAX_TURNS)
        expect(last).toMatchObject({ status: 429, json: { code: 'rate_limited', scope: 'session' } })
      }
      for (const number of numbers(BUYERS)) {
        const bought = begun.filter(({ query }) => query.startsWith(`purchase of ${number}:`))
        expect(bought.length).toBeLessThan(MAX_TURNS)
        expect(new Set(queries(bought)).size).toBe(bought.length)
      }
      // The kill has met somebody: otherwise this test shows nothing.
      expect(site.faults.filter(({ fault }) => fault.stage === 'state')).toEqual([])
      expect(statuses([...orders, ...parcels]).filter((status) => status !== 'success')).not.toEqual([])
    })
  },
)

/** Takes turns of one session, four at once, until it has no more. */
async function useUp(
  site: SharedSite,
  question: Question,
): Promise<{ readonly answered: number; readonly last: Seen }> {
  const { principal, address } = question
  const who = {
    ...(principal === undefined ? {} : { principal }),
    ...(address === undefined ? {} : { address }),
  }
  const opened = await site.askUntilAnswered({ ...who, capability: 'talk', query: 'first' })
  const sessionId = (opened.json as { readonly session_id: string }).session_id
  let answered = 1
  let asked = 0
  let last = opened
  await Promise.all(
    numbers(4).map(async () => {
      for (;;) {
        const seen = await site.askUntilAnswered({
          ...question,
          query: `${question.query} ${asked++}`,
          sessionId,
        })
        if (seen.status === 429) {
          last = seen
          return
        }
        if (statusOf(seen) === 'success') answered++
      }
    }),
  )
  return { answered, last }
}

function queries(entries: readonly Pick<Entry, 'query'>[]): readonly string[] {
  return entries.map(({ query }) => query)
}

function statuses(outcomes: readonly Outcome[]): readonly string[] {
  return outcomes.map(({ seen }) => statusOf(seen))
}

function statusOf({ json }: Seen): string {
  return (json as ConverseResponse).status
}

function numbers(count: number): readonly number[] {
  return Array.from({ length: count }, (_, number) => number)
}

function counts(values: readonly (string | number)[]): Record<string, number> {
  const found: Record<string, number> = {}
  for (const value of values) found[value] = (found[value] ?? 0) + 1
  return found
}
