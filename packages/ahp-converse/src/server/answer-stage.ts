import type { Answerer, Outcome } from '../outcome.js'
import type { Turn } from '../turn.js'
import { StageFailure } from './fault.js'
import { type Refusal, unavailable } from './refusal.js'

export interface AnswerStageOptions {
  readonly maxConcurrent: number
  readonly timeoutMs: number
}

/** Has one turn answered. Rejects with a `StageFailure`, or with the reason of a visitor that left. */
export type AnswerStage = (
  answerer: Answerer,
  turn: Omit<Turn, 'signal'>,
  visitor: () => AbortSignal | undefined,
) => Promise<Outcome | Refusal>

/**
 * Bounds what answering costs: so many at once, so long for each. A visitor that leaves frees no place: the answer does,
 * when it is there or its time is over. Otherwise leaving early would be a way to start answers without end.
 */
export function createAnswerStage({ maxConcurrent, timeoutMs }: AnswerStageOptions): AnswerStage {
  let running = 0

  return async function answer(answerer, turn, visitor) {
    if (running >= maxConcurrent) return unavailable('Too many questions are being answered. Ask again.')
    const ends = new AbortController()
    const stopFollowing = follow(visitor(), ends)
    try {
      const given = answerer({ ...turn, signal: ends.signal })
      return isThenable(given) ? await withinTime(given, ends) : given
    } catch (error) {
      if (ends.signal.aborted) throw ends.signal.reason
      throw new StageFailure('answer', error)
    } finally {
      stopFollowing()
    }
  }

  function withinTime(given: Promise<Outcome>, ends: AbortController): Promise<Outcome | Refusal> {
    return new Promise((resolve, reject) => {
      running++
      let isOver = false
      function leave(): void {
        if (isOver) return
        isOver = true
        running--
        clearTimeout(timer)
      }
      const timer = setTimeout(() => {
        resolve(unavailable('The answer takes too long. Ask again later.'))
        leave()
        ends.abort(new DOMException('The time for an answer is over.', 'TimeoutError'))
      }, timeoutMs)
      function onAbort(): void {
        reject(ends.signal.reason as Error)
      }
      if (ends.signal.aborted) onAbort()
      else ends.signal.addEventListener('abort', onAbort)
      given.then(resolve, reject).then(leave, leave)
    })
  }
}

/** Ends with the visitor, whose signal may live longer than the turn: what is given back stops that. */
function follow(visitor: AbortSignal | undefined, ends: AbortController): () => void {
  function abort(): void {
    ends.abort(visitor?.reason)
  }
  if (visitor?.aborted === true) abort()
  visitor?.addEventListener('abort', abort)
  return () => visitor?.removeEventListener('abort', abort)
}

function isThenable(value: Outcome | Promise<Outcome>): value is Promise<Outcome> {
  return typeof (value as Partial<Promise<Outcome>> | undefined)?.then === 'function'
}
