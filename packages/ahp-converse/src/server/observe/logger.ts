import { storeOption } from '../state-options.js'

/** What is called of a logger: pino, or anything that takes fields and a message. */
export interface Logger {
  readonly info: LogMethod
  readonly warn: LogMethod
  readonly error: LogMethod
  /** Lines of a level that is off are not made. Default: every level is on. */
  readonly isLevelEnabled?: (level: string) => boolean
}

/** A method of a logger, as pino has them. */
export type LogMethod = (this: Logger, fields: LogFields, message: string) => void
/** The fields of a log line. */
export type LogFields = Readonly<Record<string, unknown>>

/** @throws {ConverseError} `invalid_option` */
export function checkLogger(logger: Logger | undefined): void {
  storeOption('logger', logger, ['info', 'warn', 'error'])
}
