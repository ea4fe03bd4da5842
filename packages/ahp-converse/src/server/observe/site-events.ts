import type { Ask } from '../converse.js'
import type { CoreRequest, CoreResponse } from '../core-message.js'
import type { FaultListener } from '../fault.js'
import { hasEnded, type StoredJob } from '../jobs/stored-job.js'
import { Refusal } from '../refusal.js'
import type { ConverseReply } from '../reply-of.js'
import type { Observer, QuestionEvent, RequestEvent, SiteEvent } from './site-event.js'

type Respond = (request: CoreRequest) => Promise<CoreResponse>

/** Tells observers what happens on a site; `respond`, `ask` and `faults` give the same with the telling around it. */
export interface SiteEvents {
  respond(respond: Respond): Respond
  ask(ask: Ask): Ask
  faults(listener: FaultListener | undefined): FaultListener | undefined
  readonly jobAdded: (job: StoredJob) => void
  /** To be told of a job that was handed over or has ended. */
  readonly jobSettled: (job: StoredJob) => void
  /** To be told of each attempt, with the job after it. */
  readonly callbackTried: (job: StoredJob) => void
}

export interface SiteEventsOptions {
  /** The name of the route at a target. */
  readonly routeOf: (target: string) => string
  readonly now: () => number
}

const UNSEEN: SiteEvents = {
  respond: (respond) => respond,
  ask: (ask) => ask,
  faults: (listener) => listener,
  jobAdded: () => undefined,
  jobSettled: () => undefined,
  callbackTried: () => undefined,
}

export function createSiteEvents(
  observers: readonly Observer[],
  { routeOf, now }: SiteEventsOptions,
): SiteEvents {
  if (observers.length === 0) return UNSEEN

  function emit(event: SiteEvent): void {
    for (const observer of observers) tell(observer, event)
  }

  function emitJob(job: StoredJob, state: Extract<SiteEvent, { type: 'job' }>['state']): void {
    const durationMs = now() - job.createdAt
    emit({ type: 'job', capability: job.turn.capability, state, durationMs })
  }

  return {
    respond: (respond) => async (request) => {
      const start = now()
      const type = 'request'
      const seen = { type, method: methodOf(request), route: routeOf(request.target) } as const
      try {
        const response = await respond(request)
        emit({ ...seen, status: response.status, durationMs: now() - start })
        return response
      } catch (error) {
        emit({ ...seen, durationMs: now() - start })
        throw error
      }
    },
    ask: (ask) => async (question, call) => {
      const start = now()
      const reply = await ask(question, call)
      const capability = question instanceof Refusal ? {} : { capability: question.capability.name }
      emit({ type: 'question', ...capability, ...outcomeOf(reply), durationMs: now() - start })
      return reply
    },
    faults: (listener) => (error, fault) => {
      emit({ type: 'fault', ...fault, error })
      return listener?.(error, fault)
    },
    jobAdded(job) {
      emitJob(job, 'added')
    },
    jobSettled(job) {
      if (!hasEnded(job)) emitJob(job, 'handed_over')
      else if (job.state !== 'waiting' && job.state !== 'running') emitJob(job, job.state)
    },
    callbackTried({ callback, queue }) {
      const isDelivered = callback?.deliveredAt !== undefined
      const isOver = queue !== 'delivery'
      emit({ type: 'callback', outcome: isDelivered ? 'delivered' : isOver ? 'given_up' : 'failed' })
    },
  }
}

/** A failing observer must not fail the request. */
function tell(observer: Observer, event: SiteEvent): void {
  try {
    const given = observer(event)
    if (given instanceof Promise) given.catch(() => undefined)
  } catch {
    // There is nobody left to tell.
  }
}

function outcomeOf({
  status,
  headers,
  body,
}: ConverseReply): Omit<QuestionEvent, 'type' | 'capability' | 'durationMs'> {
  const requestId = headers['x-request-id']
  const known = { status, outcome: body.status, ...(requestId === undefined ? {} : { requestId }) }
  if (body.status === 'error') return { ...known, code: body.code }
  const meta = 'meta' in body ? (body.meta ?? {}) : {}
  const { cached, tokens_used: tokensUsed, content_type: contentType } = meta
  return {
    ...known,
    ...(cached === undefined ? {} : { cached }),
    ...(tokensUsed === undefined ? {} : { tokensUsed }),
    ...(contentType === undefined ? {} : { contentType }),
  }
}

const METHODS: readonly string[] = ['GET', 'HEAD', 'POST', 'OPTIONS', 'PUT', 'PATCH', 'DELETE']

function methodOf({ method }: CoreRequest): RequestEvent['method'] {
  return METHODS.includes(method) ? (method as RequestEvent['method']) : 'other'
}
