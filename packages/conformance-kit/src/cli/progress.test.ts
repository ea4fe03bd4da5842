import { describe, expect, it } from 'vitest'
import { Progress } from './progress.js'
import type { Terminal } from './terminal.js'

/** A progress under a clock that is turned by hand, a tick of a second at a time. */
function start(
  isTTY: boolean,
  { isForced = false, env = {} }: { isForced?: boolean; env?: Terminal['env'] } = {},
) {
  let nowMs = 5_000
  let isRunning = false
  let tick = (): void => undefined
  const written: string[] = []
  const clock: Terminal['clock'] = {
    now: () => nowMs,
    every: (intervalMs, work) => {
      expect(intervalMs).toBe(1_000)
      isRunning = true
      tick = work
      return () => {
        isRunning = false
      }
    },
  }
  const output = { write: (text: string) => written.push(text) }
  const terminal: Terminal = {
    stdout: output,
    stderr: { ...output, isTTY },
    env,
    signal: new AbortController().signal,
    clock,
  }
  const progress = new Progress(terminal, { name: 'demo', isForced })
  const after = (seconds: number): readonly string[] => {
    for (let second = 0; second < seconds; second++) {
      nowMs += 1_000
      if (isRunning) tick()
    }
    return written.splice(0)
  }
  return { progress, after, isRunning: () => isRunning }
}

const ERASE = '\r\u001b[2K'

describe('on a terminal', () => {
  it('one line tells how far a run is, first after two seconds, then every second', () => {
    const { progress, after } = start(true)
    expect(after(1)).toEqual([])
    progress.countRequest()
    expect(after(1)).toEqual([`${ERASE}demo: 2 s, 1 request, 0 checks done`])
    progress.countRequest()
    progress.countCheck()
    expect(after(2)).toEqual([
      `${ERASE}demo: 3 s, 2 requests, 1 check done`,
      `${ERASE}demo: 4 s, 2 requests, 1 check done`,
    ])
  })

  it('the line makes room for the report, and comes back', () => {
    const { progress, after } = start(true)
    progress.clear()
    expect(after(1)).toEqual([])
    after(1)
    progress.clear()
    progress.clear()
    expect(after(1)).toEqual([ERASE, `${ERASE}demo: 3 s, 0 requests, 0 checks done`])
  })

  it('nothing is left of it at the end, not even a timer', () => {
    const { progress, after, isRunning } = start(true)
    after(2)
    progress.end()
    expect([isRunning(), after(5)]).toEqual([false, [ERASE]])
  })
})

describe('a wait that the site asks for', () => {
  it('is told also where no progress is, once for those at the same time', () => {
    const { progress, after } = start(false)
    progress.tellWait(60_000)
    progress.tellWait(60_500)
    expect(after(70)).toEqual(['demo: waits 60 s, as the limit of the site asks\n'])
    expect(progress.waitedMs).toBe(60_500)
    progress.tellWait(2_000)
    expect(after(1)).toEqual(['demo: waits 2 s, as the limit of the site asks\n'])
    expect(progress.waitedMs).toBe(62_500)
  })

  it('is counted and not told when it is short', () => {
    const { progress, after } = start(false)
    progress.tellWait(1_000)
    expect([after(1), progress.waitedMs]).toEqual([[], 1_000])
  })

  it('makes room on a terminal', () => {
    const { progress, after } = start(true)
    after(2)
    progress.tellWait(5_000)
    expect(after(1)[0]).toBe(ERASE)
  })
})

describe('elsewhere', () => {
  it('nothing is told unless asked for', () => {
    expect(start(false).after(60)).toEqual([])
  })

  it('a line that stays is told every ten seconds when asked for', () => {
    const { after } = start(false, { isForced: true })
    expect(after(1)).toEqual([])
    expect(after(24)).toEqual([
      'demo: 2 s, 0 requests, 0 checks done\n',
      'demo: 12 s, 0 requests, 0 checks done\n',
      'demo: 22 s, 0 requests, 0 checks done\n',
    ])
  })

  it('a terminal that cannot erase gets lines that stay', () => {
    expect(start(true, { env: { TERM: 'dumb' } }).after(2)).toEqual([
      'demo: 2 s, 0 requests, 0 checks done\n',
    ])
  })
})
