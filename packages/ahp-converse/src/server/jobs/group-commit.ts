import type { Database } from 'better-sqlite3'

export interface GroupCommit {
  /** Takes a step in the next transaction; resolves when that is written. A step that throws undoes nothing but itself. */
  readonly write: <Result>(step: () => Result) => Promise<Result>
  /** Writes what is waiting, now. */
  readonly flush: () => void
}

interface Waiting {
  /** Takes the step, and gives what tells its caller once all are written. */
  readonly run: () => () => void
  readonly reject: (error: unknown) => void
}

/**
 * Writes all steps of one turn of the event loop in one transaction: the disk is waited for once, not once for each. The
 * steps come one after the other, in the order they were called.
 */
export function createGroupCommit(database: Database): GroupCommit {
  let waiting: Waiting[] = []
  const runAll = database.transaction((steps: readonly Waiting[]) => steps.map(({ run }) => run()))

  function flush(): void {
    const steps = waiting
    waiting = []
    if (steps.length === 0) return
    try {
      for (const settle of runAll.immediate(steps)) settle()
    } catch (error) {
      for (const { reject } of steps) reject(error)
    }
  }

  return {
    flush,
    write(step) {
      return new Promise((resolve, reject) => {
        if (waiting.length === 0) setImmediate(flush)
        waiting.push({ run: () => settled(step, resolve, reject), reject })
      })
    },
  }
}

function settled<Result>(
  step: () => Result,
  resolve: (result: Result) => void,
  reject: (error: unknown) => void,
): () => void {
  try {
    const result = step()
    return () => {
      resolve(result)
    }
  } catch (error) {
    return () => {
      reject(error)
    }
  }
}
