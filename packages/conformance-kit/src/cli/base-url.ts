import { UsageError, type CommandLine } from './command-line.js'

/**
 * The base URL that a command line names, if it names one. Without a scheme it is one of https, and on the machine itself of
 * the http that programs under development speak.
 *
 * @throws {UsageError} for a second one
 */
export function baseUrlFrom({ positionals }: CommandLine): string | undefined {
  const [url, ...rest] = positionals
  if (rest.length > 0) throw new UsageError('There is more than one base URL.')
  if (url === undefined || /^[a-z][a-z0-9+.-]*:\/\//i.test(url)) return url
  return (ON_THIS_MACHINE.test(url) ? 'http://' : 'https://') + url
}

const ON_THIS_MACHINE = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?:[:/]|$)/i
