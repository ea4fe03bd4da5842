import { parseArgs } from 'node:util'
import { DEFAULT_HOST, DEFAULT_PORT } from './settings.js'
import { StartError } from './start-error.js'

export const HELP = `Serves the documentation of Doorplate, and a small shop, to people and to AI agents.

Usage
  npm start
  node apps/reference-server/dist/main.js [--records N] [--help] [--version]

  --records N   publishes N generated records as well, up to 1000000

Settings, from the environment
  HOST          address to listen on                              ${DEFAULT_HOST}
  PORT          port; 0 picks a free one                          ${DEFAULT_PORT}
  PUBLIC_URL    origin in published addresses                     http://HOST:PORT
  DATA_DIR      folder that is written to                         data, in the project's folder
  REDIS_URL     keeps sessions, limits and jobs for several processes   none: kept by this one
  READ_LIMIT    what one address may read                         120/minute
  ASK_LIMIT     questions of one address                          30/minute; with a token 120/minute
  ACTION_LIMIT  actions of one holder of a token                  30/minute`

const MAX_RECORDS = 1_000_000

export interface CommandLine {
  readonly request: 'serve' | 'help' | 'version'
  /** How many generated records are published besides. */
  readonly records: number
}

/** Throws `StartError` for an argument that does not exist or makes no sense. */
export function readCommandLine(args: readonly string[]): CommandLine {
  const { help, version, records = '0' } = valuesOf(args)
  if (!/^\d{1,7}$/.test(records) || Number(records) > MAX_RECORDS)
    throw new StartError(`--records must be a whole number from 0 to ${MAX_RECORDS}. Try --help.`)
  const request = help === true ? 'help' : version === true ? 'version' : 'serve'
  return { request, records: Number(records) }
}

function valuesOf(args: readonly string[]): { help?: boolean; version?: boolean; records?: string } {
  try {
    return parseArgs({
      args: [...args],
      options: {
        help: { type: 'boolean', short: 'h' },
        version: { type: 'boolean', short: 'v' },
        records: { type: 'string' },
      },
    }).values
  } catch (error) {
    throw new StartError(`${(error as Error).message.split('. ')[0] ?? ''}. Try --help.`)
  }
}
