import { parseArgs } from 'node:util'
import { DEFAULT_HOST, DEFAULT_PORT } from './settings.js'
import { StartError } from './start-error.js'

export const HELP = `Serves the documentation of Doorplate to people and to AI agents.

Usage
  npm start
  node apps/reference-server/dist/main.js [--help] [--version]

Settings, from the environment
  HOST        address to listen on           ${DEFAULT_HOST}
  PORT        port; 0 picks a free one       ${DEFAULT_PORT}
  PUBLIC_URL  origin in published addresses  http://HOST:PORT
  DATA_DIR    folder that is written to      data, in the project's folder`

export type Request = 'serve' | 'help' | 'version'

/** Throws `StartError` for an argument that does not exist. */
export function readCommandLine(args: readonly string[]): Request {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: { help: { type: 'boolean', short: 'h' }, version: { type: 'boolean', short: 'v' } },
    })
    if (values.help === true) return 'help'
    return values.version === true ? 'version' : 'serve'
  } catch (error) {
    throw new StartError(`${(error as Error).message.split('. ')[0] ?? ''}. Try --help.`)
  }
}
