/**
 * What a callback of the application gave, which must not be a promise: it throws a `TypeError` for one, and leaves the
 * promise to itself, so that its rejection ends no process.
 */
export function requireSynchronous<Result>(result: Result, callback: string): Result {
  if (!(result instanceof Promise)) return result
  result.catch(() => undefined)
  throw new TypeError(`${callback} must not give a promise`)
}
