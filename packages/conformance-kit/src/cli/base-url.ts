import { UsageError, type CommandLine } from './command-line.js'

/**
 * The base URL that a command line names, as it was typed, if it names one.
 *
 * @throws {UsageError} for a second one
 */
export function baseUrlFrom({ positionals }: CommandLine): string | undefined {
  const [url, ...rest] = positionals
  if (rest.length > 0) throw new UsageError('There is more than one base URL.')
  return url
}
