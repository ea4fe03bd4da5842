import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { hasRedis, startRedis } from '@internal/loopback'
import { afterAll, describe, expect, it } from 'vitest'
import { type Question, startSharedSite } from './shared-site.js'

const JOBS = 12

const folder = mkdtempSync(join(tmpdir(), 'doorplate-redis-'))
afterAll(() => {
  rmSync(folder, { recursive: true })
})

describe.skipIf(!hasRedis)(`a site${hasRedis ? '' : ' (skipped: no redis-server here)'}`, () => {
  it('says so while Redis is away, and goes on when it is back', { timeout: 60_000 }, async () => {
    const before = await startRedis({ folder })
    await using site = await startSharedSite(before.port, 2)
    const talk = { capability: 'talk', query: 'q', address: '192.0.2.7' } as const
    const opened = await site.ask(talk)
    const { session_id: sessionId } = opened.json as { readonly session_id: string }
    const questions = (['order', 'report', 'parcel'] as const).flatMap((capability) =>
      Array.from({ length: JOBS }, (_, number): Question => {
        return { capability, query: `${capability} ${number}`, principal: 'client' }
      }),
    )
    const answers = Promise.all(questions.map((question) => site.askUntilAnswered(question)))
    // Those that are done by now were quick: the others are under way.
    while (begun().length < questions.length) await sleep(5)

    await before[Symbol.asyncDispose]()
    const refused = await site.ask({ ...talk, sessionId })
    expect(refused).toMatchObject({
      status: 503,
      headers: { 'retry-after': '1' },
      json: { status: 'error', code: 'unavailable', retry_after: 1 },
    })
    expect(refused.text).not.toMatch(/redis|127\.0\.0\.1/i)
    await sleep(500)

    await using _after = await startRedis({ folder, port: before.port })
    for (const [at, { status, json }] of (await answers).entries())
      expect([questions[at]?.query, status, json]).toEqual([
        questions[at]?.query,
        200,
        expect.objectContaining({ status: 'success' }),
      ])
    // Reports may be begun again.
    for (const { capability, query } of questions.filter(({ capability: name }) => name !== 'report'))
      expect([capability, begun().filter((other) => other === query)]).toEqual([capability, [query]])
    const second = await site.askUntilAnswered({ ...talk, sessionId })
    expect(second).toMatchObject({ status: 200, json: { response: { answer: '1 before.' } } })
    expect(site.faults).toContainEqual(
      expect.objectContaining({
        code: 'store_unavailable',
        fault: expect.objectContaining({ stage: 'state' }) as unknown,
      }),
    )

    function begun(): readonly string[] {
      return site.ledger().flatMap(({ step, query }) => (step === 'begun' ? [query] : []))
    }
  })
})
