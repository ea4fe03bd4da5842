import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createAddressReader } from '../src/server/client-address.js'
import { createRateLimits } from '../src/server/limits/rate-limits.js'
import { createSessions, type SessionOwner } from '../src/server/sessions/sessions.js'

const ipv4 = fc.ipV4()

describe('whatever a client writes into X-Forwarded-For', () => {
  const read = createAddressReader(['10.0.0.0/8'])
  const client = ipv4.filter((address) => !address.startsWith('10.'))
  const proxies = fc.array(
    fc.ipV4().map((address) => address.replace(/^\d+/, '10')),
    { maxLength: 3 },
  )

  it('it is counted under the address that the first trusted proxy saw', () => {
    fc.assert(
      fc.property(client, proxies, fc.string(), (address, chain, forged) => {
        const forwardedFor = [forged, address, ...chain].join(', ')
        expect(read('10.0.0.1', forwardedFor)).toBe(address)
      }),
    )
  })

  it('it is counted under its own address where no proxy stands before it', () => {
    fc.assert(
      fc.property(client, fc.oneof(ipv4, fc.string()), (address, forged) => {
        expect(read(address, forged)).toBe(address)
        expect(createAddressReader([])(address, forged)).toBe(address)
      }),
    )
  })
})

describe('however requests come', () => {
  const steps = fc.array(
    fc.record({ client: fc.constantFrom('192.0.2.1', '192.0.2.2', '192.0.2.3'), afterMs: fc.nat(20_000) }),
    { maxLength: 200 },
  )

  it('no client has more than its rate in any window, nor waits when it has had less', async () => {
    await fc.assert(
      fc.asyncProperty(steps, fc.integer({ min: 1, max: 9 }), async (requests, rate) => {
        let time = 1_000_000
        const limits = createRateLimits({ unauthenticated: { ask: `${rate}/minute` } }, { now: () => time })
        const windows = new Map<string, { readonly endsAt: number; taken: number }>()
        for (const { client, afterMs } of requests) {
          time += afterMs
          let window = windows.get(client)
          if (window === undefined || window.endsAt <= time) {
            window = { endsAt: time + 60_000, taken: 0 }
            windows.set(client, window)
          }
          const verdict = await limits.take({ address: client }, 'ask')
          expect(verdict.allowed).toBe(++window.taken <= rate)
          expect(verdict.headers).toMatchObject({
            'x-ratelimit-remaining': String(Math.max(rate - window.taken, 0)),
            'x-ratelimit-reset': String(Math.ceil(window.endsAt / 1000)),
          })
        }
      }),
    )
  })

  it('a session is continued by its owner alone, in order, within its turns and its time', async () => {
    const step = fc.record({
      owner: fc.constantFrom<SessionOwner>(
        { address: '192.0.2.1' },
        { address: '192.0.2.2' },
        { address: '192.0.2.1', principal: 'p' },
      ),
      /** Which of the sessions so far; none for a new one. */
      of: fc.option(fc.nat(4), { nil: undefined }),
      fails: fc.boolean(),
      afterMs: fc.nat(400),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (turns) => {
        let time = 0
        const limits = { maxTurns: 3, idleMs: 1000 }
        const sessions = createSessions({ ...limits, authenticated: limits }, { now: () => time })
        const known: { id: string; owner: SessionOwner; said: string[]; endsAt: number }[] = []
        for (const [index, { owner, of, fails, afterMs }] of turns.entries()) {
          time += afterMs
          const session = of === undefined ? undefined : known[of]
          const query = String(index)
          const { refusal, result } = await sessions.turn(session?.id, owner, ({ id, history }) =>
            Promise.resolve({
              result: { id, said: history.map((past) => past.query) },
              ...(fails
                ? {}
                : { commit: { turn: { capability: 'c', query, answer: 'a', sources: [] }, tokensUsed: 1 } }),
            }),
          )
          if (session === undefined) {
            expect(result?.said).toEqual([])
            if (!fails) known.push({ id: result?.id ?? '', owner, said: [query], endsAt: time + 1000 })
          } else if (session.owner !== owner || session.endsAt <= time) {
            expect(refusal).toBe('unknown_session')
          } else if (session.said.length === 3) {
            expect(refusal).toBe('turn_limit')
          } else {
            expect(result).toEqual({ id: session.id, said: session.said })
            if (!fails) Object.assign(session, { said: [...session.said, query], endsAt: time + 1000 })
          }
        }
      }),
    )
  })
})
