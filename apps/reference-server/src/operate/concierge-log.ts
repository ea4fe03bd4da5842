import type { Logger as ConciergeLogger, LogFields } from '@doorplate/ahp-converse/server'
import type { Logger } from './logger.js'

/** Takes what the concierge says of itself; but not its requests, which have a line of their own. */
export function createConciergeLog(logger: Logger): ConciergeLogger {
  function info(fields: LogFields, message: string): void {
    if (message !== 'request') logger.info(fields, message)
  }

  return {
    info,
    warn: info,
    error(fields, message) {
      logger.error(fields, message)
    },
    isLevelEnabled: (level) => logger.isLevelEnabled(level),
  }
}
