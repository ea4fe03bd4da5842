import { createRequire } from 'node:module'
import type { CliOutput } from './cli-output.js'
import { initManifest } from './init-manifest.js'
import { validateFile } from './validate-file.js'

const { version } = createRequire(import.meta.url)('@doorplate/ahp-manifest/package.json') as {
  readonly version: string
}

const USAGE = `Usage:
  ahp-manifest validate <file or -> [--tolerant] [--json]
  ahp-manifest init [file] [--name <text>] [--description <text>] [--content <path>]
                    [--rate-limit <rate>] [--ask] [--force]
  ahp-manifest --help | --version

validate  judges a manifest by schema and semantic rules; - reads standard input. With --tolerant it tells
          whether a visiting agent can use the manifest, with --json it prints the issues as JSON.
init      writes a manifest to start from, to .well-known/agent.json unless a file is named, and prints what
          else there is to do. --name is that of the folder unless given, --content is where agents begin to
          read (/llms.txt), --rate-limit the limit that you enforce, such as 120/minute. --ask adds a
          capability that answers questions (MODE2); --force replaces a file.

Exit codes: 0 done or valid, 1 not valid, 2 wrong usage or not readable.`

/** Runs a command line; the result is its exit code. */
export async function runCli(args: readonly string[], output: CliOutput): Promise<number> {
  const [command, ...rest] = args
  try {
    switch (command) {
      case 'validate':
        return await validateFile(rest, output)
      case 'init':
        return await initManifest(rest, output)
      case '--help':
      case '-h':
      case 'help':
        output.print(USAGE)
        return 0
      case '--version':
        output.print(version)
        return 0
      case undefined:
        output.printError(USAGE)
        return 2
      default:
        throw new Error(`"${command}" is no command. Try ahp-manifest --help.`)
    }
  } catch (error) {
    output.printError(`ahp-manifest: ${messageOf(error)}`)
    return 2
  }
}

/** What went wrong in one sentence. Node's own messages about options and files say more than one wants, or less. */
function messageOf(error: unknown): string {
  const { message, code, path } = error as NodeJS.ErrnoException
  if (code?.startsWith('ERR_PARSE_ARGS_'))
    return `${message.split(/\.\s/)[0] ?? ''}. Try ahp-manifest --help.`
  if (code === 'EEXIST') return `${path ?? 'The file'} exists; --force replaces it.`
  if (path !== undefined) return `${path} cannot be read or written (${code ?? 'unknown'}).`
  return message
}
