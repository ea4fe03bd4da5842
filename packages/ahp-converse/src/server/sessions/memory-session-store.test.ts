import { describe, expect, it } from 'vitest'
import { createMemorySessionStore } from './memory-session-store.js'
import type { StoredSession } from './stored-session.js'

function session(version: number, expiresAt: number): StoredSession {
  return { owner: 'address 203.0.113.1', version, history: [], tokensUsed: 0, expiresAt }
}

describe('createMemorySessionStore', () => {
  it('writes only over the version that is expected', () => {
    const store = createMemorySessionStore({ maxSessions: 10, maxBytes: 100_000, now: () => 0 })
    expect(store.write('a', session(1, 10), { expectedVersion: 1, ttlMs: 10 })).toBe(false)
    expect(store.read('a')).toBeUndefined()
    expect(store.write('a', session(1, 10), { expectedVersion: 0, ttlMs: 10 })).toBe(true)
    expect(store.write('a', session(2, 10), { expectedVersion: 0, ttlMs: 10 })).toBe(false)
    expect(store.write('a', session(2, 10), { expectedVersion: 1, ttlMs: 10 })).toBe(true)
    expect(store.read('a')).toEqual(session(2, 10))
  })

  it('keeps no conversation that has ended longer than until the next write', () => {
    let time = 0
    const store = createMemorySessionStore({ maxSessions: 10, maxBytes: 100_000, now: () => time })
    for (const [id, expiresAt] of [
      ['a', 10],
      ['b', 20],
      ['c', 30],
    ] as const) {
      void store.write(id, session(1, expiresAt), { expectedVersion: 0, ttlMs: 10 })
    }
    time = 20
    void store.write('d', session(1, 40), { expectedVersion: 0, ttlMs: 10 })
    expect(['a', 'b', 'c', 'd'].filter((id) => store.read(id) !== undefined)).toEqual(['c', 'd'])
  })
})
