import { EXIT_CODES } from '../exit-code.js'
import type { CommandLine } from './command-line.js'

/** A stream that text is written to. */
export interface Output {
  readonly isTTY?: boolean | undefined
  write(text: string): unknown
}

/** The time as a command sees it. */
export interface Clock {
  /** In milliseconds, from any start. */
  now(): number
  /** Calls `work` again and again until the function that it gives is called. */
  every(intervalMs: number, work: () => void): () => void
}

/** What a command talks to. */
export interface Terminal {
  readonly stdout: Output
  readonly stderr: Output
  readonly env: Readonly<Record<string, string | undefined>>
  /** Ends the run early; the report of what was seen is still written. */
  readonly signal: AbortSignal
  /** Default: that of the system. */
  readonly clock?: Clock
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
 * Runs a command in this process. The first interrupt or request to end (SIGTERM) ends the run with its report, the
 * second ends the process. A reader that has gone away (`| head`) ends it too, with the code of an unwritable report;
 * a fault that nobody catches has the code of a broken runner, and not that of a failed check.
 */
export async function runInProcess(command: (terminal: Terminal) => Promise<number>): Promise<void> {
  const ended = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => {
      ended.abort()
    })
  process.stdout.on('error', () => process.exit(EXIT_CODES.notPerformed))
  process.stderr.on('error', () => undefined)
  process.on('uncaughtException', () => {
    process.stderr.write('The program broke.\n')
    process.exit(EXIT_CODES.cannotJudge)
  })
  const { stdout, stderr, env } = process
  process.exitCode = await command({ stdout, stderr, env, signal: ended.signal })
}
