import { describe, expect, it } from 'vitest'
import type { RateLimitOptions } from './rate-limit-options.js'
import { createRateLimits, type RateCaller, type RateLimits, type RateVerdict } from './rate-limits.js'

const ONE: RateCaller = { address: '203.0.113.1' }
const OTHER: RateCaller = { address: '203.0.113.2' }

function limitsWith(options: RateLimitOptions): {
  readonly limits: RateLimits
  readonly advance: (ms: number) => void
} {
  let time = 1_000_000_000_500
  const limits = createRateLimits(options, { now: () => time })
  return {
    limits,
    advance: (ms) => {
      time += ms
    },
  }
}

async function takeTimes(
  limits: RateLimits,
  times: number,
  caller: RateCaller = ONE,
): Promise<readonly RateVerdict[]> {
  const verdicts: RateVerdict[] = []
  for (let index = 0; index < times; index++) verdicts.push(await limits.take(caller, 'ask'))
  return verdicts
}

const allowed = (verdicts: readonly RateVerdict[]): number =>
  verdicts.filter((verdict) => verdict.allowed).length

describe('createRateLimits', () => {
  it('counts down, refuses past the limit and starts anew with the next window (R093, R095, R096, R099)', async () => {
    const { limits, advance } = limitsWith({ unauthenticated: { ask: '2/minute' } })
    expect(await limits.take(ONE, 'ask')).toEqual({
      allowed: true,
      remaining: 1,
      headers: {
        'x-ratelimit-limit': '2',
        'x-ratelimit-remaining': '1',
        'x-ratelimit-reset': '1000000061',
        'x-ratelimit-window': '60',
      },
    })
    advance(30_000)
    expect(await limits.take(ONE, 'ask')).toMatchObject({
      allowed: true,
      headers: { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '1000000061' },
    })
    expect(await limits.take(ONE, 'ask')).toEqual({
      allowed: false,
      scope: 'ip',
      retryAfterSeconds: 30,
      headers: {
        'x-ratelimit-limit': '2',
        'x-ratelimit-remaining': '0',
        'x-ratelimit-reset': '1000000061',
        'x-ratelimit-window': '60',
        'retry-after': '30',
      },
    })
    expect(await limits.take(OTHER, 'ask')).toMatchObject({ allowed: true })
    advance(29_999)
    expect(await limits.take(ONE, 'ask')).toMatchObject({ allowed: false, retryAfterSeconds: 1 })
    advance(1)
    expect(await limits.take(ONE, 'ask')).toMatchObject({
      allowed: true,
      headers: { 'x-ratelimit-remaining': '1' },
    })
  })

  it('has the limits of the draft by default, and declares what it enforces (R094, R097, R105, H22)', async () => {
    const { limits } = limitsWith({})
    expect(limits.declared).toEqual({
      unauthenticated: { requests: '30/minute' },
      authenticated: { requests: '120/minute' },
    })
    expect(allowed(await takeTimes(limits, 200))).toBe(30)
    expect(allowed(await takeTimes(limits, 200, { ...ONE, principal: 'p' }))).toBe(120)
  })

  it.each([
    [{ unauthenticated: { ask: '5/hour' }, authenticated: { ask: '9/day' } }, 5, 9],
    [{ unauthenticated: { ask: '5/hour' }, agent: '3/hour' }, 3, 120],
    [{ unauthenticated: { ask: '5/hour' }, agent: '9/hour' }, 5, 120],
  ] as const)('enforces what it declares of %j (H22)', async (options, anonymous, known) => {
    const { limits } = limitsWith(options)
    const declared = limits.declared
    expect(Number.parseInt(declared.unauthenticated.requests)).toBe(anonymous)
    expect(Number.parseInt(declared.authenticated.requests)).toBe(known)
    expect(allowed(await takeTimes(limits, 150, { ...ONE, agent: 'a' }))).toBe(anonymous)
    expect(allowed(await takeTimes(limits, 150, { ...OTHER, principal: 'p' }))).toBe(known)
  })

  it('limits an agent only within its address: copying a name starves nobody, changing it evades nothing (R100, R101)', async () => {
    const { limits } = limitsWith({ unauthenticated: { ask: '4/minute' }, agent: '2/minute' })
    const verdicts = await takeTimes(limits, 3, { ...ONE, agent: 'Bot' })
    expect(verdicts[2]).toMatchObject({ allowed: false, scope: 'agent', retryAfterSeconds: 60 })
    expect(verdicts[2]?.headers).toMatchObject({ 'x-ratelimit-limit': '2' })
    expect(await limits.take({ ...OTHER, agent: 'Bot' }, 'ask')).toMatchObject({ allowed: true })
    expect(await limits.take({ ...ONE, agent: 'Bot 2' }, 'ask')).toMatchObject({ allowed: true })
    expect(await limits.take({ ...ONE, agent: 'Bot 3' }, 'ask')).toMatchObject({
      allowed: false,
      scope: 'ip',
    })
  })

  it('counts a principal wherever it comes from, and has no scope for it', async () => {
    const { limits } = limitsWith({
      authenticated: { ask: '2/minute' },
      unauthenticated: { ask: '1/minute' },
    })
    await limits.take({ ...ONE, principal: 'p' }, 'ask')
    await limits.take({ ...OTHER, principal: 'p' }, 'ask')
    const refused = await limits.take({ ...OTHER, principal: 'p' }, 'ask')
    expect(refused).toMatchObject({ allowed: false })
    expect(refused).not.toHaveProperty('scope')
    expect(await limits.take({ ...ONE, principal: 'q' }, 'ask')).toMatchObject({ allowed: true })
    expect(await limits.take(ONE, 'ask')).toMatchObject({ allowed: true })
  })

  it('keeps the tiers apart: reading costs no question (R098)', async () => {
    const { limits } = limitsWith({
      unauthenticated: { read: '1/minute', ask: '1/minute', action: '1/minute' },
    })
    for (const tier of ['read', 'ask', 'action', 'credential'] as const) {
      expect(await limits.take(ONE, tier)).toMatchObject({ allowed: true })
    }
    expect(await limits.take(ONE, 'read')).toMatchObject({ allowed: false })
  })

  it('counts a network of IPv6 as one', async () => {
    const { limits } = limitsWith({ unauthenticated: { ask: '1/minute' } })
    await limits.take({ address: '2001:db8:1:2::1' }, 'ask')
    expect(await limits.take({ address: '2001:db8:1:2:ffff::9' }, 'ask')).toMatchObject({ allowed: false })
    expect(await limits.take({ address: '2001:db8:1:3::1' }, 'ask')).toMatchObject({ allowed: true })
  })

  it('peeks without counting', async () => {
    const { limits } = limitsWith({ unauthenticated: { ask: '1/minute' } })
    const before = await limits.peek(ONE, 'ask')
    expect(await limits.peek(ONE, 'ask')).toEqual(before)
    expect(await limits.take(ONE, 'ask')).toEqual(before)
    expect(await limits.peek(ONE, 'ask')).toMatchObject({ allowed: false, scope: 'ip' })
  })

  it('keeps refusing while others come by the hundred, and forgets only who is long gone (H18)', async () => {
    const { limits } = limitsWith({ unauthenticated: { ask: '1/day' }, maxKeys: 10 })
    await limits.take(ONE, 'ask')
    for (let index = 0; index < 300; index++) {
      await limits.take({ address: `10.0.0.${index % 256}` }, 'ask')
      expect(await limits.take(ONE, 'ask')).toMatchObject({ allowed: false })
    }
    for (let index = 0; index < 10; index++) await limits.take({ address: `10.1.0.${index}` }, 'ask')
    expect(await limits.take(ONE, 'ask')).toMatchObject({ allowed: true })
  })

  it('lets no flood of agent names push out the count of an address', async () => {
    const { limits } = limitsWith({
      unauthenticated: { ask: '100/day' },
      agent: '100/day',
      maxKeys: 5,
    })
    await limits.take(ONE, 'ask')
    for (let index = 0; index < 50; index++) await limits.take({ ...OTHER, agent: `agent ${index}` }, 'ask')
    expect(await limits.take(ONE, 'ask')).toMatchObject({ headers: { 'x-ratelimit-remaining': '98' } })
  })

  it('keeps nobody waiting for hours after the clock was set back', async () => {
    const { limits, advance } = limitsWith({ unauthenticated: { ask: '1/minute' } })
    await limits.take(ONE, 'ask')
    advance(-3_600_000)
    expect(await limits.take(ONE, 'ask')).toMatchObject({ allowed: true })
    expect(await limits.take(ONE, 'ask')).toMatchObject({ allowed: false, retryAfterSeconds: 60 })
  })

  it('counts in this process while the store fails, and says so', async () => {
    const failure = new Error('gone')
    const fail = (): Promise<never> => Promise.reject(failure)
    const told: unknown[] = []
    const limits = createRateLimits(
      { unauthenticated: { ask: '1/minute' }, store: { penalty: fail, get: fail } },
      { now: () => 0, onStoreError: (error) => told.push(error) },
    )
    expect(allowed(await takeTimes(limits, 3))).toBe(1)
    expect(told).toEqual([failure, failure, failure])
  })

  it('sends the fields of the IETF besides where asked to', async () => {
    const { limits, advance } = limitsWith({ unauthenticated: { ask: '2/minute' }, standardHeaders: true })
    await limits.take(ONE, 'ask')
    advance(1_500)
    const { headers } = await limits.take(ONE, 'ask')
    expect(headers).toMatchObject({ 'ratelimit-policy': '"ask";q=2;w=60', ratelimit: '"ask";r=0;t=59' })
  })

  it.each([
    ['limits', null],
    ['limits.rate', { rate: '1/minute' }],
    ['limits.unauthenticated.ask', { unauthenticated: { ask: '0/minute' } }],
    ['limits.unauthenticated.ask', { unauthenticated: { ask: '1.5/minute' } }],
    ['limits.unauthenticated.read', { unauthenticated: { read: 30 } }],
    ['limits.unauthenticated.converse', { unauthenticated: { converse: '1/minute' } }],
    ['limits.authenticated.action', { authenticated: { action: '1/week' } }],
    ['limits.authenticated.credential', { authenticated: { credential: '1/minute' } }],
    ['limits.agent', { agent: '-1/minute' }],
    ['limits.maxKeys', { maxKeys: 0 }],
    ['limits.maxKeys', { maxKeys: NaN }],
    ['limits.store', { store: { get: () => null } }],
    ['limits.standardHeaders', { standardHeaders: 'yes' }],
  ])('refuses %s of %j', (option, options) => {
    expect(() => createRateLimits(options as never, { now: Date.now })).toThrow(
      expect.objectContaining({ code: 'invalid_option', option }),
    )
  })
})
