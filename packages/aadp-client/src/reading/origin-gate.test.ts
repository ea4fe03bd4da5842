import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { OriginGate } from './origin-gate.js'

const A = 'https://a.test'
const NEVER = Infinity

beforeEach(() => {
  vi.useFakeTimers({ now: 0 })
})
afterEach(() => {
  vi.useRealTimers()
})

function gateOf({ maxConcurrencyPerOrigin = Infinity, minDelayPerOriginMs = 0 } = {}): OriginGate {
  return new OriginGate({ maxConcurrencyPerOrigin, minDelayPerOriginMs, now: Date.now })
}

/** Notes when entries are let through. */
function enterNoting(
  gate: OriginGate,
  log: string[],
  name: string,
  latestAtMs = NEVER,
  signal?: AbortSignal,
): void {
  const entering = gate.enter(A, latestAtMs, signal)
  if (!entering) log.push(`${name}@${Date.now()}`)
  else {
    entering.then(
      (allowed) => log.push(`${name}${allowed ? '@' : ' refused@'}${Date.now()}`),
      () => log.push(`${name} aborted@${Date.now()}`),
    )
  }
}

describe('OriginGate', () => {
  it('lets everything through at once by default', () => {
    const gate = gateOf()
    for (let count = 0; count < 100; count++) expect(gate.enter(A, NEVER, undefined)).toBeUndefined()
  })

  it('lets so many through to one origin, the others in turn', async () => {
    const gate = gateOf({ maxConcurrencyPerOrigin: 2 })
    const log: string[] = []
    for (const name of ['1', '2', '3', '4']) enterNoting(gate, log, name)
    expect(gate.enter('https://b.test', NEVER, undefined)).toBeUndefined()
    expect(log).toEqual(['1@0', '2@0'])
    gate.leave(A)
    await vi.advanceTimersByTimeAsync(5)
    expect(log).toEqual(['1@0', '2@0', '3@0'])
    gate.leave(A)
    await vi.advanceTimersByTimeAsync(0)
    expect(log.at(-1)).toBe('4@5')
  })

  it('keeps nobody waiting who is aborted already', async () => {
    const gate = gateOf()
    gate.pause(A, 30_000)
    await expect(gate.enter(A, NEVER, AbortSignal.abort('enough'))).rejects.toBe('enough')
    const log: string[] = []
    enterNoting(gate, log, 'next')
    await vi.advanceTimersByTimeAsync(30_000)
    expect(log).toEqual(['next@30000'])
  })

  it('keeps starts apart', async () => {
    const gate = gateOf({ minDelayPerOriginMs: 100 })
    const log: string[] = []
    for (const name of ['1', '2', '3']) enterNoting(gate, log, name)
    await vi.advanceTimersByTimeAsync(1_000)
    expect(log).toEqual(['1@0', '2@100', '3@200'])
  })

  it('pauses the whole origin, also for what waits already', async () => {
    const gate = gateOf({ maxConcurrencyPerOrigin: 1 })
    const log: string[] = []
    enterNoting(gate, log, '1')
    enterNoting(gate, log, '2')
    gate.pause(A, 30_000)
    gate.pause(A, 10_000)
    gate.leave(A)
    enterNoting(gate, log, '3')
    await vi.advanceTimersByTimeAsync(29_999)
    expect(log).toEqual(['1@0'])
    await vi.advanceTimersByTimeAsync(1)
    gate.leave(A)
    await vi.advanceTimersByTimeAsync(0)
    expect(log).toEqual(['1@0', '2@30000', '3@30000'])
  })

  it('refuses at once what could not start in time', async () => {
    const gate = gateOf({ maxConcurrencyPerOrigin: 1 })
    const log: string[] = []
    enterNoting(gate, log, '1')
    enterNoting(gate, log, 'early', 5_000)
    enterNoting(gate, log, 'patient', 50_000)
    gate.pause(A, 10_000)
    enterNoting(gate, log, 'late', 9_999)
    await vi.advanceTimersByTimeAsync(0)
    expect(log).toEqual(['1@0', 'early refused@0', 'late refused@0'])
    gate.leave(A)
    await vi.advanceTimersByTimeAsync(10_000)
    expect(log.at(-1)).toBe('patient@10000')
  })

  it('waits longer than timers can', async () => {
    const gate = gateOf()
    const log: string[] = []
    gate.pause(A, 2 ** 31 + 5)
    enterNoting(gate, log, '1')
    await vi.advanceTimersByTimeAsync(2 ** 31)
    expect(log).toEqual([])
    await vi.advanceTimersByTimeAsync(10)
    expect(log).toEqual([`1@${2 ** 31 + 5}`])
  })

  it('forgets what is aborted while it waits, and its listener', async () => {
    const gate = gateOf({ maxConcurrencyPerOrigin: 1 })
    const log: string[] = []
    const controller = new AbortController()
    enterNoting(gate, log, '1')
    enterNoting(gate, log, '2', NEVER, controller.signal)
    enterNoting(gate, log, '3')
    controller.abort()
    await vi.advanceTimersByTimeAsync(0)
    gate.leave(A)
    await vi.advanceTimersByTimeAsync(0)
    expect(log).toEqual(['1@0', '2 aborted@0', '3@0'])
    expect(vi.getTimerCount()).toBe(0)
  })
})
