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

/** Who is told of faults. */
export interface FaultListeners {
  /** Of the declaration. */
  readonly onError: FaultListener | undefined
  /** Told when nobody else is. */
  readonly onUnheard: FaultListener
}

/** The request that a fault is met in. */
export interface FaultSource {
  readonly requestId: string
  readonly onError: FaultListener | undefined
}

/** Tells the listeners of the declaration and of the request; what a listener throws is its own affair. */
export function reportFault(
  { onError, onUnheard }: FaultListeners,
  failure: unknown,
  outcome: Fault['outcome'],
  source: FaultSource,
): void {
  const known = failure instanceof OperationFailure ? failure : new OperationFailure(failure, 'respond')
  const fault = { requestId: source.requestId, operation: known.operation, outcome, ...known.place }
  const listeners = [onError, source.onError].filter((listener) => listener !== undefined)
  for (const listener of listeners.length > 0 ? listeners : [onUnheard]) tell(listener, known.cause, fault)
}

function tell(listener: FaultListener, error: unknown, fault: Fault): void {
  try {
    const given = listener(error, fault)
    if (given instanceof Promise) given.catch(() => undefined)
  } catch {
    // A failing listener must not fail the request.
  }
}
