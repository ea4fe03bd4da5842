/** Where something went wrong. */
export type FaultOperation = 'list' | 'get' | 'count' | 'serialize' | 'publish' | 'markdown' | 'respond'

/** What `onError` is told about a fault. */
export interface Fault {
  /** The `request_id` of the error envelope, if the request failed. */
  readonly requestId: string
  readonly operation: FaultOperation
  /** `request_failed`: the requester got an error. The others: the answer went out without that part. */
  readonly outcome: 'request_failed' | 'record_omitted' | 'count_omitted'
  readonly type?: string
  /** Entity id, where it is known. */
  readonly id?: string
}

/** `error` is what was thrown, causes and all; it is never published. What the listener gives is ignored. */
export type FaultListener = (error: unknown, fault: Fault) => unknown

/** A thrown value on its way to the response, with the operation that threw it. */
export class OperationFailure extends Error {
  override readonly name = 'OperationFailure'
  readonly operation: FaultOperation
  readonly place: Pick<Fault, 'type' | 'id'>

  constructor(cause: unknown, operation: FaultOperation, place: Pick<Fault, 'type' | 'id'> = {}) {
    super(`${operation} failed`, { cause })
    this.operation = operation
    this.place = place
  }
}

/** Tells the listener; what the listener throws is its own affair. */
export function reportFault(
  listener: FaultListener | undefined,
  failure: unknown,
  outcome: Fault['outcome'],
  requestId: string,
): void {
  if (listener === undefined) return
  const known = failure instanceof OperationFailure ? failure : new OperationFailure(failure, 'respond')
  try {
    const given = listener(known.cause, {
      requestId,
      operation: known.operation,
      outcome,
      ...known.place,
    })
    if (given instanceof Promise) given.catch(() => undefined)
  } catch {
    // A failing listener must not fail the request.
  }
}
