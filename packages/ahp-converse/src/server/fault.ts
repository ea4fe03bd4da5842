import { Refusal, unavailable } from './refusal.js'

/** Where something of the site's own went wrong. */
export type FaultStage =
  'verify' | 'state' | 'answer' | 'callback' | 'inbox' | 'content' | 'health' | 'respond'

/** Where a fault was, as `onError` is told. */
export interface Fault {
  /** What the visitor was told to quote: in the message, and in `X-Request-Id`. Absent where it noticed nothing. */
  readonly requestId?: string
  readonly stage: FaultStage
  readonly capability?: string
}

/** `error` is what was thrown; it is never sent. What the listener gives is ignored. */
export type FaultListener = (error: unknown, fault: Fault) => unknown

/** A thrown value on its way to the response, with the stage that threw it. */
export class StageFailure extends Error {
  override readonly name = 'StageFailure'
  readonly stage: FaultStage

  constructor(stage: FaultStage, cause: unknown) {
    super(`${stage} failed`, { cause })
    this.stage = stage
  }
}

/** Tells the site what happened, and the visitor that something did. */
export function refuseForFault(listener: FaultListener, failure: unknown, capability?: string): Refusal {
  const known = failure instanceof StageFailure ? failure : new StageFailure('respond', failure)
  const requestId = crypto.randomUUID()
  report(listener, known.cause, {
    requestId,
    stage: known.stage,
    ...(capability === undefined ? {} : { capability }),
  })
  const isPassing = known.stage === 'verify' || known.stage === 'state' || known.stage === 'callback'
  return isPassing
    ? unavailable(`The site cannot answer now (request ${requestId}).`, { 'x-request-id': requestId })
    : new Refusal(
        { code: 'concierge_error', message: `The site failed to answer (request ${requestId}).` },
        { headers: { 'x-request-id': requestId } },
      )
}

/** Tells the site of a failure that no visitor was told of. */
export function reportFailure(listener: FaultListener, failure: unknown, stage: FaultStage): void {
  const known = failure instanceof StageFailure ? failure : new StageFailure(stage, failure)
  report(listener, known.cause, { stage: known.stage })
}

/** What the listener throws is its own affair. */
export function report(listener: FaultListener, error: unknown, fault: Fault): void {
  try {
    const given = listener(error, fault)
    if (given instanceof Promise) given.catch(() => undefined)
  } catch {
    // A failing listener must not fail the request.
  }
}
