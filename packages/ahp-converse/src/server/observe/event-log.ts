import type { LogFields, Logger } from './logger.js'
import { redact } from './redact.js'
import type { Observer, SiteEvent } from './site-event.js'

/**
 * Writes one line for each event. No line has a query, an answer, a credential, an address, or the id of a session or a job:
 * whoever reads the log could not be kept from using them.
 */
export function createEventLog(logger: Logger): Observer {
  return (event) => {
    const level = levelOf(event)
    if (logger.isLevelEnabled?.(level) === false) return
    const { type, ...fields } = event
    if (event.type === 'fault') logger.error({ ...fields, error: errorFields(event.error) }, type)
    else if (event.type === 'request' && event.status === undefined)
      logger.info({ ...fields, aborted: true }, type)
    else logger[level](fields, type)
  }
}

function levelOf(event: SiteEvent): 'info' | 'warn' | 'error' {
  if (event.type === 'fault') return 'error'
  return event.type === 'request' && (event.status ?? 0) >= 500 ? 'warn' : 'info'
}

/** Not as `err`: pino would take it for an error and name its type anew. */
function errorFields(error: unknown, depth: number = 0): LogFields {
  if (!(error instanceof Error)) return { type: typeof error, message: redact(String(error)) }
  const { name, message, stack, cause } = error
  const { code } = error as { code?: unknown }
  return {
    type: redact(name),
    message: redact(message),
    ...(typeof code === 'string' ? { code: redact(code) } : {}),
    ...(stack === undefined ? {} : { stack: redact(stack) }),
    ...(cause === undefined || depth > 2 ? {} : { cause: errorFields(cause, depth + 1) }),
  }
}
