import type { SuccessResponse } from '@doorplate/ahp-manifest/messages'
import type { Ask } from '../converse.js'
import type { CoreRequest, CoreResponse } from '../core-message.js'
import type { FaultListener } from '../fault.js'
import { hasEnded, type StoredJob } from '../jobs/stored-job.js'
import { Refusal } from '../refusal.js'
import type { ConverseReply } from '../reply-of.js'
import type { Observer, QuestionEvent, RequestEvent, SiteEvent } from './site-event.js'

type Meta = NonNullable<SuccessResponse['meta']>
type Respond = (request: CoreRequest) => Promise<CoreResponse>

/** Tells observers what happens on a site; `respond`, `ask` and `faults` give the same with the telling around it. */
export interface SiteEvents {
  respond(respond: Respond): Respond
  ask(ask: Ask): Ask
  faults(listener: FaultListener): FaultListener
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
      const method = methodOf(request)
      const route = routeOf(request.target)
      try {
        const response = await respond(request)
        const { status } = response
        emit({ type: 'request', method, route, status, durationMs: now() - start })
        return response
      } catch (error) {
        emit({ type: 'request', method, route, durationMs: now() - start })
        throw error
      }
    },
    ask: (ask) => async (question, call) => {
      const start = now()
      const reply = await ask(question, call)
      const capability = question instanceof Refusal ? undefined : question.capability.name
      emit(questionEvent(reply, capability, now() - start))
      return reply
    },
    faults: (listener) => (error, fault) => {
      emit({ type: 'fault', ...fault, error })
      return listener(error, fault)
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

/** Member by member: to spread what may be absent costs more than a kept answer does. */
function questionEvent(
  { status, headers, body }: ConverseReply,
  capability: string | undefined,
  durationMs: number,
): QuestionEvent {
  const event: Writable<QuestionEvent> = { type: 'question', status, outcome: body.status, durationMs }
  const requestId = headers['x-request-id']
  if (capability !== undefined) event.capability = capability
  if (requestId !== undefined) event.requestId = requestId
  if (body.status === 'error') event.code = body.code
  else if ('meta' in body) addMeta(event, body.meta)
  return event
}

type Writable<Value> = { -readonly [Name in keyof Value]: Value[Name] }

function addMeta(
  event: Writable<QuestionEvent>,
  { cached, tokens_used: tokensUsed, content_type: contentType }: Meta,
): void {
  if (cached !== undefined) event.cached = cached
  if (tokensUsed !== undefined) event.tokensUsed = tokensUsed
  if (contentType !== undefined) event.contentType = contentType
}

const METHODS: readonly string[] = ['GET', 'HEAD', 'POST', 'OPTIONS', 'PUT', 'PATCH', 'DELETE']

function methodOf({ method }: CoreRequest): RequestEvent['method'] {
  return METHODS.includes(method) ? (method as RequestEvent['method']) : 'other'
}
