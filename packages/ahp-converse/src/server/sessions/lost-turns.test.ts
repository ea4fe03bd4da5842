import { expect, it } from 'vitest'
import { createLostTurns } from './lost-turns.js'
import type { StoredSession } from './stored-session.js'

function session(version: number, turnId: string, answer = ''): StoredSession {
  const history = [{ capability: 'c', query: 'q', answer, sources: [] }]
  return { owner: 'address ::1', version, turnId, history, tokensUsed: 1, expiresAt: 1 }
}

it('takes a lost turn out of its session', () => {
  const lost = createLostTurns()
  lost.note('second', session(1, 'first', 'kept'))
  expect(lost.without(session(2, 'second', 'lost'))).toEqual({
    ...session(2, 'first', 'kept'),
    givenBack: 1,
  })
})

it('forgets the oldest when the sessions before them are long', () => {
  const lost = createLostTurns()
  const long = 'a'.repeat(200_000)
  for (let at = 1; at <= 40; at++) lost.note(`lost ${String(at)}`, session(at, 'before', long))
  const isForgotten = (at: number): boolean => {
    const now = session(at + 1, `lost ${String(at)}`)
    return lost.without(now) === now
  }
  expect([1, 20, 30, 40].map(isForgotten)).toEqual([true, true, false, false])
})
