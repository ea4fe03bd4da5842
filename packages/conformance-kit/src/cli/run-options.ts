import type { CliOption, CommandLine } from './command-line.js'

/**
 * Options of a run that a command line takes as they are, by their names in a program: `maxPages` is `--max-pages`, and
 * `jobTimeoutMs` is `--job-timeout`, because the help says that its value is in `<ms>`.
 */
export type RunOptionTable<Options> = Readonly<
  Partial<Record<keyof Options & string, Omit<CliOption, 'name'>>>
>

/** The options of the command line. */
export function cliOptionsOf<Options>(table: RunOptionTable<Options>): readonly CliOption[] {
  return rowsOf(table).map(([name, option]) => ({ name: spelled(name), ...option }))
}

/** What was given of them, still to be validated: texts may be none of those that are allowed. */
export function valuesOf<Options>(table: RunOptionTable<Options>, line: CommandLine): Partial<Options> {
  const values = rowsOf(table).map(([name, { kind }]) => [name, READERS[kind](line, spelled(name))] as const)
  return Object.fromEntries(values.filter(([, value]) => value !== undefined)) as Partial<Options>
}

const READERS: Readonly<Record<CliOption['kind'], (line: CommandLine, name: string) => unknown>> = {
  flag: (line, name) => line.flag(name) || undefined,
  text: (line, name) => line.text(name),
  integer: (line, name) => line.integer(name),
  list: (line, name) => (line.list(name).length > 0 ? line.list(name) : undefined),
}

function rowsOf<Options>(
  table: RunOptionTable<Options>,
): readonly (readonly [string, Omit<CliOption, 'name'>])[] {
  return Object.entries<Omit<CliOption, 'name'> | undefined>(table).flatMap(([name, option]) =>
    option === undefined ? [] : [[name, option] as const],
  )
}

function spelled(name: string): string {
  return name.replace(/Ms$/, '').replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
}
