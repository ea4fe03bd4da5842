/** What may be there already: a step that need not wait then costs no turn of the event loop. */
export type Awaitable<Value> = Value | Promise<Value>

/** Goes on with a value, at once where it is there. What `next` throws is thrown then, and otherwise rejects. */
export function andThen<Value, Result>(
  value: Awaitable<Value>,
  next: (value: Value) => Awaitable<Result>,
): Awaitable<Result> {
  return value instanceof Promise ? value.then(next) : next(value)
}
