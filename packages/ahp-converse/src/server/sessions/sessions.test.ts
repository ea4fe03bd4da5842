import { describe, expect, it } from 'vitest'
import type { PastTurn } from '../../turn.js'
import type { SessionOptions } from './session-options.js'
import type { SessionStore } from './session-store.js'
import { createSessions, type Session, type SessionOwner, type Sessions, type TurnWork } from './sessions.js'
import type { StoredSession } from './stored-session.js'

const ALICE: SessionOwner = { address: '203.0.113.1' }
const BOB: SessionOwner = { address: '203.0.113.2' }
const KNOWN: SessionOwner = { address: '203.0.113.1', principal: 'p' }

function sessionsWith(options: SessionOptions = {}): {
  readonly sessions: Sessions
  readonly advance: (ms: number) => void
} {
  let time = 1_000_000
  return {
    sessions: createSessions(options, { now: () => time }),
    advance: (ms) => {
      time += ms
    },
  }
}

function past(query: string): PastTurn {
  return { capability: 'c', query, answer: `to ${query}`, sources: [] }
}

/** Work that answers, and results in the session it found. */
function answering(query: string, tokensUsed = 1): (session: Session) => Promise<TurnWork<Session>> {
  return (session) => Promise.resolve({ result: session, commit: { turn: past(query), tokensUsed } })
}

async function open(sessions: Sessions, owner = ALICE): Promise<string> {
  const { result } = await sessions.turn(undefined, owner, answering('first'))
  if (result === undefined) throw new Error('No session was opened')
  return result.id
}

/** A store that processes could share, and that can fail once, before or after it has written. */
function failingStore(): SessionStore & { failNext(moment: 'before' | 'after'): void } {
  const kept = new Map<string, StoredSession>()
  let failing: 'before' | 'after' | undefined
  return {
    failNext(moment) {
      failing = moment
    },
    read: (id) => kept.get(id),
    write(id, session, { expectedVersion }) {
      const moment = failing
      failing = undefined
      if (moment === 'before') throw new Error('away')
      const isExpected = (kept.get(id)?.version ?? 0) === expectedVersion
      if (isExpected) kept.set(id, session)
      if (moment === 'after') throw new Error('away')
      return isExpected
    },
  }
}

describe('createSessions', () => {
  it('gives every first turn an id of 128 bits, and later turns what was said before', async () => {
    const { sessions } = sessionsWith()
    const { result } = await sessions.turn(undefined, ALICE, answering('one', 5))
    expect(result).toMatchObject({ history: [], tokensUsed: 0, tokensLeft: 20_000 })
    expect(result?.id).toMatch(/^[0-9a-f]{32}$/)
    expect(await open(sessions)).not.toBe(result?.id)
    await sessions.turn(result?.id, ALICE, answering('two', 7))
    expect(await sessions.turn(result?.id, ALICE, answering('three'))).toMatchObject({
      result: { id: result?.id, history: [past('one'), past('two')], tokensUsed: 12, tokensLeft: 19_988 },
    })
  })

  it('takes its ids from the randomness it is given', async () => {
    const sessions = createSessions({}, { now: () => 0, random: (bytes) => bytes.fill(0xab) })
    expect(await open(sessions)).toBe('ab'.repeat(16))
  })

  it('knows no session that it did not make: fixed ids, ids of others, ids that have ended (H8, H9, C32)', async () => {
    const { sessions, advance } = sessionsWith()
    const id = await open(sessions)
    const unknown = { refusal: 'unknown_session' }
    const neverRun = (): never => {
      throw new Error('ran')
    }
    for (const forged of ['', 'made-up', '__proto__', id.toUpperCase(), `${id} `]) {
      expect(await sessions.turn(forged, ALICE, neverRun)).toEqual(unknown)
    }
    expect(await sessions.turn(id, BOB, neverRun)).toEqual(unknown)
    expect(await sessions.turn(id, KNOWN, neverRun)).toEqual(unknown)
    expect(await sessions.turn(id, { address: 'p' }, neverRun)).toEqual(unknown)
    expect(await sessions.turn(id, ALICE, answering('mine'))).toHaveProperty('result')
    advance(600_000)
    expect(await sessions.turn(id, ALICE, neverRun)).toEqual(unknown)
  })

  it('follows a principal to another address, and lets no address take its session', async () => {
    const { sessions } = sessionsWith()
    const id = await open(sessions, KNOWN)
    expect(await sessions.turn(id, { ...BOB, principal: 'p' }, answering('on'))).toHaveProperty('result')
    expect(await sessions.turn(id, { ...KNOWN, principal: 'q' }, answering('on'))).toHaveProperty('refusal')
    expect(await sessions.turn(id, ALICE, answering('on'))).toHaveProperty('refusal')
  })

  it('ends ten minutes after the last turn, half an hour for principals (R055, R056)', async () => {
    const { sessions, advance } = sessionsWith()
    const id = await open(sessions)
    const known = await open(sessions, KNOWN)
    for (let turn = 0; turn < 3; turn++) {
      advance(599_999)
      expect(await sessions.turn(id, ALICE, answering('on'))).toHaveProperty('result')
    }
    expect(await sessions.turn(known, KNOWN, answering('on'))).toHaveProperty('result')
    advance(1_800_000)
    expect(await sessions.turn(known, KNOWN, answering('on'))).toEqual({ refusal: 'unknown_session' })
  })

  it('refuses the eleventh turn, the thirty-first of a principal (R053, R054)', async () => {
    const { sessions } = sessionsWith()
    for (const [owner, turns] of [
      [ALICE, 10],
      [KNOWN, 30],
    ] as const) {
      const id = await open(sessions, owner)
      for (let turn = 2; turn <= turns; turn++) {
        expect(await sessions.turn(id, owner, answering('on'))).toHaveProperty('result')
      }
      expect(await sessions.turn(id, owner, answering('on'))).toEqual({ refusal: 'turn_limit' })
    }
  })

  it('refuses what would go beyond the tokens of the session, and declares them (R102, R103, H22)', async () => {
    const { sessions } = sessionsWith({ tokenBudget: 10, authenticated: { tokenBudget: Infinity } })
    expect(sessions.declared).toEqual({ unauthenticated: { token_budget: '10/session' }, authenticated: {} })
    const { result } = await sessions.turn(undefined, ALICE, answering('one', 4))
    const second = await sessions.turn(result?.id, ALICE, answering('two', 6))
    expect(second.result).toMatchObject({ tokensUsed: 4, tokensLeft: 6 })
    expect(await sessions.turn(result?.id, ALICE, answering('three'))).toEqual({ refusal: 'token_budget' })
  })

  it('keeps nothing of a turn that failed, was not committed or was refused (H21)', async () => {
    const { sessions } = sessionsWith()
    const id = await open(sessions)
    const failure = new Error('the model is gone')
    for (let turn = 0; turn < 20; turn++) {
      await expect(sessions.turn(id, ALICE, () => Promise.reject(failure))).rejects.toBe(failure)
      await expect(
        sessions.turn(id, ALICE, () => {
          throw failure
        }),
      ).rejects.toBe(failure)
      await sessions.turn(id, ALICE, () => Promise.resolve({ result: undefined }))
    }
    const { result } = await sessions.turn(id, ALICE, answering('on'))
    expect(result?.history).toEqual([past('first')])
  })

  it('keeps no session whose first turn failed', async () => {
    const { sessions } = sessionsWith()
    let id = ''
    await sessions.turn(undefined, ALICE, (session) => {
      id = session.id
      return Promise.resolve({ result: undefined })
    })
    expect(await sessions.turn(id, ALICE, answering('on'))).toEqual({ refusal: 'unknown_session' })
  })

  it('takes parallel turns of a session one after the other, in order, and no eleventh (H21)', async () => {
    const { sessions } = sessionsWith()
    const id = await open(sessions)
    let running = 0
    const results = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        sessions.turn(id, ALICE, async (session) => {
          expect(++running).toBe(1)
          await new Promise(setImmediate)
          running--
          return { result: session.history.length, commit: { turn: past(String(index)), tokensUsed: 1 } }
        }),
      ),
    )
    expect(results.slice(0, 9)).toEqual(Array.from({ length: 9 }, (_, index) => ({ result: index + 1 })))
    expect(results.slice(9)).toEqual(Array.from({ length: 11 }, () => ({ refusal: 'turn_limit' })))
  })

  it('lets no stranger wait for, or hold up, a session', async () => {
    const { sessions } = sessionsWith()
    const id = await open(sessions)
    let finish = (): void => undefined
    const slow = sessions.turn(id, ALICE, async (session) => {
      await new Promise<void>((resolve) => (finish = resolve))
      return answering('slow')(session)
    })
    expect(await sessions.turn(id, BOB, answering('nosy'))).toEqual({ refusal: 'unknown_session' })
    expect(await open(sessions, BOB)).toMatch(/^[0-9a-f]{32}$/)
    finish()
    expect(await slow).toHaveProperty('result')
  })

  it('hands the question it asked to the next turn, and to no other', async () => {
    const { sessions } = sessionsWith()
    const awaiting = {
      capability: 'c',
      query: 'q',
      question: 'Which?',
      options: ['a', 'b'],
      freeForm: false,
    }
    const { result: id } = await sessions.turn(undefined, ALICE, (session) =>
      Promise.resolve({ result: session.id, commit: { awaiting, tokensUsed: 0 } }),
    )
    expect((await sessions.turn(id, ALICE, answering('a'))).result).toMatchObject({ awaiting, history: [] })
    expect((await sessions.turn(id, ALICE, answering('more'))).result).not.toHaveProperty('awaiting')
  })

  it('keeps so many sessions and no more: the one not used for longest ends (H18)', async () => {
    const { sessions } = sessionsWith({ maxSessions: 3 })
    const [first, second, third] = [await open(sessions), await open(sessions), await open(sessions)]
    await sessions.turn(first, ALICE, answering('on'))
    await open(sessions)
    expect(await sessions.turn(second, ALICE, answering('on'))).toEqual({ refusal: 'unknown_session' })
    expect(await sessions.turn(first, ALICE, answering('on'))).toHaveProperty('result')
    expect(await sessions.turn(third, ALICE, answering('on'))).toHaveProperty('result')
  })

  it('keeps so many bytes and no more (H18)', async () => {
    const { sessions } = sessionsWith({ maxBytes: 30_000 })
    const long = answering('x'.repeat(4096))
    const ids: (string | undefined)[] = []
    for (let index = 0; index < 3; index++) {
      ids.push((await sessions.turn(undefined, ALICE, long)).result?.id)
    }
    expect(await sessions.turn(ids[0], ALICE, long)).toEqual({ refusal: 'unknown_session' })
    expect(await sessions.turn(ids[2], ALICE, answering('on'))).toHaveProperty('result')
  })

  it('tells when another process took a turn of the session at the same time', async () => {
    const { sessions } = sessionsWith({
      store: { read: () => undefined, write: (_id, { version }) => version < 1 },
    })
    expect(await sessions.turn(undefined, ALICE, answering('one'))).toEqual({ refusal: 'conflict' })
  })

  it('tells a failure of the store from one of the answer', async () => {
    const gone = new Error('gone')
    const fail = (): Promise<never> => Promise.reject(gone)
    const { sessions } = sessionsWith({ store: { read: fail, write: fail } })
    await expect(sessions.turn('id', ALICE, answering('one'))).rejects.toMatchObject({
      stage: 'state',
      cause: gone,
    })
    await expect(sessions.turn(undefined, ALICE, answering('one'))).rejects.toMatchObject({ stage: 'state' })
  })

  it.each(['before', 'after'] as const)(
    'counts no turn that nobody had because the store failed %s it had written',
    async (moment) => {
      const store = failingStore()
      const { sessions } = sessionsWith({ store, maxTurns: 3 })
      const id = await open(sessions)
      const reserving = async (session: Session): Promise<TurnWork<Session>> => {
        await session.reserve()
        return answering('reserved')(session)
      }
      for (const work of [answering('lost'), reserving, answering('lost again')]) {
        store.failNext(moment)
        await expect(sessions.turn(id, ALICE, work)).rejects.toMatchObject({ stage: 'state' })
      }
      expect(await sessions.turn(id, ALICE, reserving)).toMatchObject({
        result: { history: [past('first')] },
      })
      expect(await sessions.turn(id, ALICE, answering('third'))).toMatchObject({
        result: { history: [past('first'), past('reserved')], tokensUsed: 2 },
      })
      expect(await sessions.turn(id, ALICE, answering('fourth'))).toEqual({ refusal: 'turn_limit' })
    },
  )

  it('gives a turn back the next time where the store failed to take it back', async () => {
    const store = failingStore()
    const { sessions } = sessionsWith({ store, maxTurns: 2 })
    const id = await open(sessions)
    await sessions.turn(id, ALICE, async (session) => {
      await session.reserve()
      store.failNext('before')
      await session.giveBack()
      return { result: session }
    })
    expect(await sessions.turn(id, ALICE, answering('second'))).toHaveProperty('result')
    expect(await sessions.turn(id, ALICE, answering('third'))).toEqual({ refusal: 'turn_limit' })
  })

  it('leaves a turn that another process has taken since then as it is', async () => {
    const store = failingStore()
    const [one, other] = [sessionsWith({ store }).sessions, sessionsWith({ store }).sessions]
    const id = await open(one)
    store.failNext('after')
    await expect(one.turn(id, ALICE, answering('lost'))).rejects.toMatchObject({ stage: 'state' })
    await other.turn(id, ALICE, answering('taken'))
    expect(await one.turn(id, ALICE, answering('next'))).toMatchObject({
      result: { history: [past('first'), past('lost'), past('taken')] },
    })
  })

  it.each([
    ['sessions', null],
    ['sessions.max', { max: 1 }],
    ['sessions.maxTurns', { maxTurns: 0 }],
    ['sessions.maxTurns', { maxTurns: Infinity }],
    ['sessions.idleMs', { idleMs: 1.5 }],
    ['sessions.tokenBudget', { tokenBudget: -1 }],
    ['sessions.tokenBudget', { tokenBudget: NaN }],
    ['sessions.maxSessions', { maxSessions: '3' }],
    ['sessions.maxBytes', { maxBytes: 0 }],
    ['sessions.authenticated', { authenticated: 5 }],
    ['sessions.authenticated.idleMs', { authenticated: { idleMs: 0 } }],
    ['sessions.authenticated.maxBytes', { authenticated: { maxBytes: 1 } }],
    ['sessions.store', { store: new Map() }],
  ])('refuses %s of %j', (option, options) => {
    expect(() => sessionsWith(options as never)).toThrow(
      expect.objectContaining({ code: 'invalid_option', option }),
    )
  })
})
