/** Runs what has the same name one after the other, in the order it came; what has not, side by side. */
export type Lanes = <Result>(name: string, run: () => Promise<Result>) => Promise<Result>

export function createLanes(): Lanes {
  const ends = new Map<string, Promise<unknown>>()
  return async (name, run) => {
    const before = ends.get(name)
    const result = before === undefined ? run() : before.then(run)
    const end = result.catch(() => undefined)
    ends.set(name, end)
    try {
      return await result
    } finally {
      if (ends.get(name) === end) ends.delete(name)
    }
  }
}
