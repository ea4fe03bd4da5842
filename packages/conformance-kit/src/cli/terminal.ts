import type { CommandLine } from './command-line.js'

export interface Output {
  readonly isTTY?: boolean | undefined
  write(text: string): unknown
}

/** What a command talks to. */
export interface Terminal {
  readonly stdout: Output
  readonly stderr: Output
  readonly env: Readonly<Record<string, string | undefined>>
  /** Ends the run early; the report of what was seen is still written. */
  readonly signal: AbortSignal
}

/** Colours on a terminal, unless the flags or the environment (no-color.org, FORCE_COLOR) say otherwise. */
export function useColor(line: CommandLine, { stdout, env }: Terminal): boolean {
  if (line.flag('no-color')) return false
  if (line.flag('color')) return true
  if (env['NO_COLOR'] !== undefined && env['NO_COLOR'] !== '') return false
  if (env['FORCE_COLOR'] !== undefined && env['FORCE_COLOR'] !== '0') return true
  return stdout.isTTY === true && env['TERM'] !== 'dumb'
}

/**
 * Runs a command in this process. The first interrupt ends the run with its report, the second ends the process. A
 * reader that has gone away (`| head`) ends it too, with the code of an unwritable report.
 */
export async function runInProcess(command: (terminal: Terminal) => Promise<number>): Promise<void> {
  const interrupted = new AbortController()
  process.once('SIGINT', () => {
    interrupted.abort()
  })
  process.stdout.on('error', () => process.exit(2))
  const { stdout, stderr, env } = process
  process.exitCode = await command({ stdout, stderr, env, signal: interrupted.signal })
}
