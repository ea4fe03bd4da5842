import type { CliOutput } from './cli-output.js'
import { initManifest } from './init-manifest.js'
import { validateFile } from './validate-file.js'

const USAGE = `Usage:
  ahp-manifest validate <file or -> [--tolerant] [--json]
  ahp-manifest init [file] [--name <text>] [--description <text>] [--content <path>] [--ask] [--force]

validate  judges a manifest by schema and semantic rules; - reads standard input. With --tolerant it tells
          whether a visiting agent can use the manifest, with --json it prints the issues as JSON.
init      writes a manifest to start from, to .well-known/agent.json unless a file is named. --ask adds a
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
      case undefined:
      default:
        output.printError(USAGE)
        return 2
    }
  } catch (error) {
    output.printError(`ahp-manifest: ${error instanceof Error ? error.message : String(error)}`)
    return 2
  }
}
