import { describe, expect, it } from 'vitest'
import { createReceiverGate, type ReceiverGate } from './receiver-gate.js'

const WAITS = { retryAfterMs: 60_000 }
const PASSES = { leave: expect.any(Function) as () => void }

function openGate(now: () => number = () => 0): ReceiverGate {
  return createReceiverGate({
    maxConcurrentPerReceiver: 10,
    maxPerReceiverPerMinute: 2,
    now,
    fraction: () => 0,
  })
}

describe('an attempt that has to wait for one of its receivers', () => {
  it.each([
    ['the principal', ['host', 'greedy'], ['host', 'modest']],
    ['the host', ['busy', 'principal'], ['idle', 'principal']],
  ])('does not count for another: %s', (_, refused, others) => {
    const gate = openGate()
    const full = refused.filter((receiver) => !others.includes(receiver))
    for (let number = 0; number < 2; number++) expect(gate.enter(full)).toEqual(PASSES)
    for (let number = 0; number < 5; number++) expect(gate.enter(refused)).toEqual(WAITS)
    for (let number = 0; number < 2; number++) expect(gate.enter(others)).toEqual(PASSES)
    expect(gate.enter(others)).toEqual(WAITS)
  })

  it('is let through after a minute, and when the clock was set back', () => {
    let time = 1_000_000
    const gate = openGate(() => time)
    for (let number = 0; number < 2; number++) gate.enter(['host'])
    expect(gate.enter(['host'])).toEqual(WAITS)
    time += 60_000
    for (let number = 0; number < 2; number++) expect(gate.enter(['host'])).toEqual(PASSES)
    expect(gate.enter(['host'])).toEqual(WAITS)
    time = 0
    expect(gate.enter(['host'])).toEqual(PASSES)
  })
})
