import type { ConverseCall } from '../converse-call.js'
import type { CoreRequest, CoreResponse } from '../core-message.js'
import type { FaultListener } from '../fault.js'
import type { ConverseReply } from '../reply-of.js'
import type { LogFields, Logger } from './logger.js'
import { redact } from './redact.js'

type Converse = (call: ConverseCall) => Promise<ConverseReply>
type Respond = (request: CoreRequest) => Promise<CoreResponse>

/** Writes down what happens on a site, each as what does it with the log around it. */
export interface SiteLog {
  /** One line for each request, with the route instead of the path. */
  respond(respond: Respond): Respond
  /** One line for each question, by whatever way it came. */
  converse(converse: Converse): Converse
  /** One line for each fault of the site's own, then the listener. */
  faults(listener: FaultListener | undefined): FaultListener | undefined
}

export interface SiteLogOptions {
  /** The name of the route at a target. */
  readonly routeOf: (target: string) => string
  readonly now: () => number
}

const SILENT: SiteLog = {
  respond: (respond) => respond,
  converse: (converse) => converse,
  faults: (listener) => listener,
}

/**
 * No line has a query, an answer, a credential, an address, or the id of a session or a job: whoever reads the log could not
 * be kept from using them.
 */
export function createSiteLog(logger: Logger | undefined, { routeOf, now }: SiteLogOptions): SiteLog {
  if (logger === undefined) return SILENT
  const write = guarded(logger)
  return {
    respond: (respond) => async (request) => {
      const start = now()
      const { method } = request
      const seen = { method: isMethod(method) ? method : 'other', route: routeOf(request.target) }
      try {
        const response = await respond(request)
        const { status } = response
        write(status >= 500 ? 'warn' : 'info', { ...seen, status, durationMs: now() - start }, 'request')
        return response
      } catch (error) {
        write('info', { ...seen, durationMs: now() - start, aborted: true }, 'request')
        throw error
      }
    },
    converse: (converse) => async (call) => {
      const start = now()
      const reply = await converse(call)
      write('info', { ...outcomeOf(reply), durationMs: now() - start }, 'question')
      return reply
    },
    faults: (listener) => (error, fault) => {
      write('error', { ...fault, error: errorFields(error) }, 'fault')
      return listener?.(error, fault)
    },
  }
}

type Write = (level: keyof Logger, fields: LogFields, message: string) => void

/** A failing logger must not fail the request. */
function guarded(logger: Logger): Write {
  return (level, fields, message) => {
    try {
      logger[level](fields, message)
    } catch {
      // There is nobody left to tell.
    }
  }
}

function outcomeOf({ status, headers, body }: ConverseReply): LogFields {
  const requestId = headers['x-request-id']
  const known = { status, outcome: body.status, ...(requestId === undefined ? {} : { requestId }) }
  if (body.status === 'error') return { ...known, code: body.code }
  const {
    capability_used: capability,
    cached,
    tokens_used: tokensUsed,
    content_type: contentType,
  } = 'meta' in body ? (body.meta ?? {}) : {}
  return { ...known, capability, cached, tokensUsed, contentType }
}

/** Not as `err`: pino would take it for an error and name its type anew. */
function errorFields(error: unknown, depth: number = 0): LogFields {
  if (!(error instanceof Error)) return { type: typeof error, message: redact(String(error)) }
  const { name, message, stack, cause } = error
  const { code } = error as { code?: unknown }
  return {
    type: name,
    message: redact(message),
    ...(typeof code === 'string' ? { code } : {}),
    ...(stack === undefined ? {} : { stack: redact(stack) }),
    ...(cause === undefined || depth > 2 ? {} : { cause: errorFields(cause, depth + 1) }),
  }
}

function isMethod(method: string): boolean {
  return ['GET', 'HEAD', 'POST', 'OPTIONS', 'PUT', 'PATCH', 'DELETE'].includes(method)
}
