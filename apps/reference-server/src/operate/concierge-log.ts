import type { LogFields, Logger as ConciergeLogger } from '@doorplate/ahp-converse/server'
import type { Logger } from './logger.js'
import type { SiteMetrics } from './site-metrics.js'

/** Counts what the concierge says of itself, and writes it down; but not its requests, which have a line of their own. */
export function createConciergeLog(logger: Logger, { countEvent }: SiteMetrics): ConciergeLogger {
  const isLogged = logger.isLevelEnabled('info')

  function take(fields: LogFields, message: string): void {
    if (message === 'request') return
    countEvent(message, fields)
    if (isLogged) logger.info(fields, message)
  }

  return {
    info: take,
    warn: take,
    error(fields, message) {
      countEvent(message, fields)
      logger.error(fields, message)
    },
  }
}
