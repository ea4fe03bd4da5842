import { describe, expect, it } from 'vitest'
import type { AnswerOutcome } from '../outcome.js'
import type { Turn } from '../turn.js'
import { createAnswerStage } from './answer-stage.js'
import { Refusal } from './refusal.js'

const TURN: Omit<Turn, 'signal'> = {
  capability: 'help',
  query: 'x',
  contentType: 'text/answer',
  history: [],
  sessionId: 's',
  maxTokens: 10,
}
const ANSWER: AnswerOutcome = { answer: 'Yes.' }
const nobodyLeaves = (): undefined => undefined

describe('the answer stage', () => {
  it('passes on what is given at once or later', async () => {
    const answer = createAnswerStage({ maxConcurrent: 1, timeoutMs: 1000 })
    expect(await answer(() => ANSWER, TURN, nobodyLeaves)).toBe(ANSWER)
    expect(await answer(() => Promise.resolve(ANSWER), TURN, nobodyLeaves)).toBe(ANSWER)
  })

  it('tells whoever throws from the visitor that leaves', async () => {
    const answer = createAnswerStage({ maxConcurrent: 1, timeoutMs: 1000 })
    const cause = new Error('broken')
    const broken = answer(() => Promise.reject(cause), TURN, nobodyLeaves)
    await expect(broken).rejects.toMatchObject({ stage: 'answer', cause })
    const visitor = new AbortController()
    const left = answer(
      ({ signal }) => rejectsWith(signal),
      TURN,
      () => visitor.signal,
    )
    visitor.abort(new Error('gone'))
    await expect(left).rejects.toThrow('gone')
    const early = answer(
      () => new Promise(() => undefined),
      TURN,
      () => AbortSignal.abort(new Error('was gone')),
    )
    await expect(early).rejects.toThrow('was gone')
  })

  it('ends the signal when the time is over, and frees the place', async () => {
    const answer = createAnswerStage({ maxConcurrent: 1, timeoutMs: 5 })
    let seen: AbortSignal | undefined
    const late = await answer(
      ({ signal }) => {
        seen = signal
        return new Promise(() => undefined)
      },
      TURN,
      nobodyLeaves,
    )
    expect(late).toBeInstanceOf(Refusal)
    expect(seen?.reason).toMatchObject({ name: 'TimeoutError' })
    expect(await answer(() => Promise.resolve(ANSWER), TURN, nobodyLeaves)).toBe(ANSWER)
  })

  it('keeps the place of a visitor that left until its answer is there', async () => {
    const answer = createAnswerStage({ maxConcurrent: 1, timeoutMs: 10_000 })
    const visitor = new AbortController()
    let finish: (outcome: AnswerOutcome) => void = () => undefined
    const left = answer(
      () => new Promise((resolve) => (finish = resolve)),
      TURN,
      () => visitor.signal,
    )
    visitor.abort(new Error('gone'))
    await expect(left).rejects.toThrow('gone')
    expect(await answer(() => Promise.resolve(ANSWER), TURN, nobodyLeaves)).toMatchObject({ status: 503 })
    finish(ANSWER)
    await Promise.resolve()
    await new Promise(setImmediate)
    expect(await answer(() => Promise.resolve(ANSWER), TURN, nobodyLeaves)).toBe(ANSWER)
  })

  it('stops listening to a visitor whose answer is there', async () => {
    const answer = createAnswerStage({ maxConcurrent: 1, timeoutMs: 1000 })
    const visitor = new AbortController()
    let seen: AbortSignal | undefined
    await answer(
      ({ signal }) => ((seen = signal), ANSWER),
      TURN,
      () => visitor.signal,
    )
    visitor.abort()
    expect(seen?.aborted).toBe(false)
  })
})

function rejectsWith(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => {
      reject(new Error('stopped'))
    })
  })
}
