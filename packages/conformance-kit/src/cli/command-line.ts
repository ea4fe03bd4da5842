import { parseArgs } from 'node:util'
import { nearestName } from '../nearest-name.js'

/** One option of a command. */
export interface CliOption {
  /** Without the dashes, e.g. `max-pages`. */
  readonly name: string
  /** `list` may be given several times. */
  readonly kind: 'flag' | 'text' | 'integer' | 'list'
  /** How its value is called in the help, e.g. `<n>`. */
  readonly value?: string
  readonly help: string
}

/** What was given on a command line, read by option name. */
export interface CommandLine {
  readonly positionals: readonly string[]
  flag(name: string): boolean
  text(name: string): string | undefined
  integer(name: string): number | undefined
  list(name: string): readonly string[]
}

/** The command line is wrong; the message is for the person who typed it. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** @throws {UsageError} for unknown options, missing or empty values and values that are not whole numbers */
export function parseCommandLine(options: readonly CliOption[], argv: readonly string[]): CommandLine {
  const { values, positionals } = parseStrictly(options, argv)
  const valueOf = (name: string): unknown => (Object.hasOwn(values, name) ? values[name] : undefined)
  const textOf = (name: string): string | undefined => {
    const value = valueOf(name)
    return typeof value === 'string' ? value : undefined
  }
  for (const { name } of options) {
    if ([valueOf(name)].flat().includes('')) throw new UsageError(`--${name} is empty: is the variable set?`)
  }
  const integerOf = (name: string): number | undefined => {
    const unit = options.find((option) => option.name === name)?.value === '<ms>' ? ' of milliseconds' : ''
    return toInteger(name, textOf(name), unit)
  }
  for (const { name, kind } of options) if (kind === 'integer') integerOf(name)
  return {
    positionals,
    flag: (name) => valueOf(name) === true,
    text: textOf,
    integer: integerOf,
    list: (name) => {
      const value = valueOf(name)
      return Array.isArray(value) ? value.map(String) : []
    },
  }
}

/** The options as lines of a help text. */
export function describeOptions(options: readonly CliOption[]): string {
  const spelled = options.map(({ name, value }) => `--${name}${suffixOf(name, value)}`)
  const width = Math.max(...spelled.map((text) => text.length))
  return options.map(({ help }, index) => `  ${(spelled[index] ?? '').padEnd(width)}  ${help}\n`).join('')
}

function suffixOf(name: string, value: string | undefined): string {
  if (name === 'help') return ', -h'
  return value === undefined ? '' : ` ${value}`
}

function parseStrictly(
  options: readonly CliOption[],
  argv: readonly string[],
): { values: Record<string, unknown>; positionals: readonly string[] } {
  const config = options.map(({ name, kind }) => {
    const type = kind === 'flag' ? ('boolean' as const) : ('string' as const)
    return [name, { type, multiple: kind === 'list', ...(name === 'help' && { short: 'h' }) }] as const
  })
  try {
    return parseArgs({ args: [...argv], options: Object.fromEntries(config), allowPositionals: true })
  } catch (cause) {
    const said = firstSentence((cause as Error).message)
    throw new UsageError(`${said}${hint(said, options)}`, { cause })
  }
}

/** Node adds how to pass such a word as a positional argument, which no command here takes. */
function firstSentence(message: string): string {
  return `${message.split(/\.\s/)[0] ?? ''}.`
}

function hint(said: string, options: readonly CliOption[]): string {
  const unknown = /^Unknown option '--(.+)'/.exec(said)?.[1]
  const names = options.map(({ name }) => name)
  const meant = unknown === undefined ? undefined : nearestName(unknown, names)
  return meant === undefined ? '' : ` Did you mean --${meant}?`
}

function toInteger(name: string, text: string | undefined, unit: string): number | undefined {
  if (text === undefined) return undefined
  if (!/^\d{1,15}$/.test(text))
    throw new UsageError(`--${name} must be a whole number${unit}, not ${JSON.stringify(text)}.`)
  return Number(text)
}
