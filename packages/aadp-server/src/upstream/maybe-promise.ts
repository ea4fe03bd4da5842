/** What may be there already, or be promised. */
export type MaybePromise<Value> = Value | Promise<Value>

/** Goes on with a value at once when it is there: what waits for nothing costs no promise. */
export function andThen<Value, Result>(
  value: MaybePromise<Value>,
  next: (value: Value) => MaybePromise<Result>,
): MaybePromise<Result> {
  return value instanceof Promise ? value.then(next) : next(value)
}

/** A promise of any realm or library as one of this realm; anything else as it is. */
export function settle(value: unknown): MaybePromise<unknown> {
  return isThenable(value) ? Promise.resolve(value) : value
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function'
}
