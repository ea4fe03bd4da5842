import { pino, type DestinationStream, type Logger } from 'pino'
import type { Settings } from '../settings/settings.js'

export type { Logger }

/** Where a secret could be among what is logged. */
const SECRETS = [
  'authorization',
  'cookie',
  'token',
  'password',
  'secret',
  'credential',
  'callback_url',
  '["x-ahp-key"]',
] as const

/**
 * One JSON object a line. No line is made of what a visitor wrote: no query, answer, path, header or address. What could be a
 * secret by its name is cut out all the same.
 */
export function createLogger(
  { logLevel }: Pick<Settings, 'logLevel'>,
  destination: DestinationStream = pino.destination({ dest: 2, sync: true }),
): Logger {
  return pino(
    {
      level: logLevel,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (level) => ({ level }) },
      redact: { paths: SECRETS.flatMap((name) => [name, memberOf('*', name)]), censor: '[redacted]' },
    },
    destination,
  )
}

function memberOf(parent: string, name: string): string {
  return name.startsWith('[') ? parent + name : `${parent}.${name}`
}
