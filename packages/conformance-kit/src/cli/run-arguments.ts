import { readFileSync } from 'node:fs'
import { visibleText } from '../visible-text.js'
import { UsageError, type CommandLine } from './command-line.js'

/** What the options about the network say about a run. */
export interface RunArguments {
  readonly timeoutMs?: number
  readonly maxRedirects?: number
  readonly maxResponseBytes?: number
  readonly maxRequests?: number
  readonly maxTotalBytes?: number
  readonly deadlineMs?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly crossOriginSafeHeaders?: readonly string[]
  readonly allowPrivateNetwork?: boolean
  readonly dangerouslyAllow?: readonly string[]
  readonly ca?: readonly string[]
}

/** @throws {UsageError} */
export function runArguments(line: CommandLine): RunArguments {
  return given({
    timeoutMs: line.integer('timeout'),
    maxRedirects: line.integer('max-redirects'),
    maxResponseBytes: line.integer('max-response-bytes'),
    maxRequests: line.integer('max-requests'),
    maxTotalBytes: line.integer('max-total-bytes'),
    deadlineMs: line.integer('deadline'),
    headers: headersFrom(line.list('header')),
    crossOriginSafeHeaders: line.list('cross-origin-safe-header'),
    allowPrivateNetwork: line.flag('allow-private-network'),
    dangerouslyAllow: line.list('dangerously-allow'),
    ca: listed(line, 'ca')?.map((path) => readArgumentFile('ca', path)),
  })
}

function listed(line: CommandLine, name: string): readonly string[] | undefined {
  const list = line.list(name)
  return list.length > 0 ? list : undefined
}

/**
 * The text of a file that an option names.
 *
 * @throws {UsageError}
 */
export function readArgumentFile(option: string, path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (cause) {
    throw new UsageError(`--${option}: ${visibleText(path)} cannot be read.`, { cause })
  }
}

/** Leaves out what was not given, so that defaults apply. */
export function given<Options extends object>(
  options: Options,
): { [Name in keyof Options]?: Exclude<Options[Name], undefined> } {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as ReturnType<
    typeof given<Options>
  >
}

/** The value is nobody's business, so that a mistake is told without it. */
function headersFrom(lines: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    lines.map((line) => {
      const [, name = '', value = ''] = /^([!#$%&'*+\-.^_`|~0-9A-Za-z]+):[ \t]*(.*)$/.exec(line) ?? []
      if (name === '') throw new UsageError("--header must be of the form 'Name: value'.")
      return [name.toLowerCase(), value]
    }),
  )
}
