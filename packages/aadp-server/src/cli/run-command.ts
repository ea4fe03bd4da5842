import { createRequire } from 'node:module'
import { relative, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { distance } from 'fastest-levenshtein'
import type { AadpServer } from '../define-aadp.js'
import { faultText } from '../errors/fault-text.js'
import { exportSite } from '../export-site.js'
import { CommandError } from './command-error.js'
import { type Framework, FRAMEWORKS } from './scaffold-templates.js'
import { scaffoldAddResource, scaffoldInit } from './scaffold.js'

const { version } = createRequire(import.meta.url)('@doorplate/aadp-server/package.json') as {
  readonly version: string
}

const USAGE = `Usage:
  aadp init [--dir aadp] [--framework node|next|hono|workers] [--force]
  aadp add-resource <type> [--dir aadp] [--force]
  aadp export <module> [--out public] [--force]
  aadp --help | --version

Without an install: npx --package @doorplate/aadp-server aadp <command>

init          writes a declaration that runs as it is
add-resource  adds a type of entity to it
export        writes the whole site as files; the module exports the server as default or as "aadp"

Nothing is overwritten without --force.

Exit codes:
  0  done
  1  failed
  2  the command line is wrong
  3  exported, but records were left out
`

/** Reasons that are printed of the records that an export left out. */
const MAX_REASONS = 10

export interface CommandOutput {
  /** Lines for standard output. */
  readonly print: (line: string) => void
  /** Lines for standard error. */
  readonly complain: (line: string) => void
}

export type ExitCode = 0 | 1 | 2 | 3

/** Carries out one command line. */
export async function runCommand(
  argv: readonly string[],
  root: string,
  output: CommandOutput,
): Promise<ExitCode> {
  try {
    const { values, positionals } = parse(argv)
    const [command, ...rest] = positionals
    if (values.help === true) output.print(USAGE)
    else if (values.version === true) output.print(version)
    else if (command === 'init') await init(values, rest, root, output)
    else if (command === 'add-resource') await addResource(values, rest, root, output)
    else if (command === 'export') return await exportCommand(values, rest, root, output)
    else
      throw new CommandError(
        `${command === undefined ? 'There is no command.' : `"${command}" is no command.`}\n\n${USAGE}`,
        2,
      )
    return 0
  } catch (error) {
    output.complain(error instanceof Error ? error.message : String(error))
    return error instanceof CommandError ? error.exitCode : 1
  }
}

const OPTIONS = {
  dir: { type: 'string' },
  framework: { type: 'string' },
  out: { type: 'string' },
  force: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean', short: 'v' },
} as const

type Parsed = ReturnType<typeof parse>

function parse(argv: readonly string[]) {
  try {
    return parseArgs({
      args: [...argv],
      allowPositionals: true,
      options: OPTIONS,
    })
  } catch (error) {
    const [problem = ''] = (error as Error).message.split(/\.\s/)
    throw new CommandError(`${problem}.${meantIn(problem)} Try aadp --help.`, 2)
  }
}

/** Names the option that was meant, where it is one or two letters away. */
function meantIn(problem: string): string {
  const typed = /^Unknown option '--(.+)'/.exec(problem)?.[1] ?? ''
  const meant = Object.keys(OPTIONS).find((name) => distance(typed, name) <= name.length / 3)
  return meant === undefined ? '' : ` Did you mean --${meant}?`
}

/** How what was written is run. Node.js 20 runs no TypeScript by itself. */
const RUN: Readonly<Record<Framework, (dir: string) => string>> = {
  node: (dir) => `npx --yes tsx ${dir}/main.ts`,
  next: () => 'npx next dev',
  hono: (dir) => `bun ${dir}/app.ts, or give the app to serve of @hono/node-server`,
  workers: (dir) => `npx wrangler dev ${dir}/worker.ts`,
}

async function init(
  values: Parsed['values'],
  rest: readonly string[],
  root: string,
  output: CommandOutput,
): Promise<void> {
  expectArguments(rest, 0)
  const { framework = 'node', force = false } = values
  const known = FRAMEWORKS.find((name): name is Framework => name === framework)
  if (known === undefined) throw new CommandError(`--framework must be one of ${FRAMEWORKS.join(', ')}`, 2)
  const dir = folderIn(root, values)
  report(await scaffoldInit({ root, dir, force, framework: known }), output)
  output.print(`\nPut your own words into ${dir}/aadp.server.ts, your records into ${dir}/resources.`)
  output.print(`Run it: ${RUN[known](dir)}`)
}

async function addResource(
  values: Parsed['values'],
  rest: readonly string[],
  root: string,
  output: CommandOutput,
): Promise<void> {
  const [type = ''] = expectArguments(rest, 1)
  const { force = false } = values
  report(await scaffoldAddResource(type, { root, dir: folderIn(root, values), force }), output)
}

/** The folder of the declaration, relative to the project however it was given. */
function folderIn(root: string, { dir = 'aadp' }: Parsed['values']): string {
  return relative(root, resolve(root, dir))
}

async function exportCommand(
  values: Parsed['values'],
  rest: readonly string[],
  root: string,
  output: CommandOutput,
): Promise<ExitCode> {
  const [module = ''] = expectArguments(rest, 1)
  const { out = 'public', force = false } = values
  const server = await importServer(resolve(root, module))
  const omissions: string[] = []
  const files = await exportSite(server, resolve(root, out), {
    force,
    onError(error, fault) {
      if (fault.outcome === 'record_omitted') omissions.push(faultText(error, fault))
    },
  })
  output.print(`${String(files.length)} documents written to ${out}`)
  if (omissions.length === 0) return 0
  complainOfOmissions(omissions, output)
  return 3
}

function complainOfOmissions(omissions: readonly string[], { complain }: CommandOutput): void {
  const shown = omissions.slice(0, MAX_REASONS)
  const count = omissions.length
  complain(count === 1 ? '1 record left out:' : `${String(count)} records left out:`)
  for (const omission of shown) complain(`  ${omission}`)
  if (count > shown.length) complain(`  and ${String(count - shown.length)} more`)
}

async function importServer(path: string): Promise<AadpServer> {
  const module = (await importModule(path)) as { readonly default?: unknown; readonly aadp?: unknown }
  const server = [module.default, module.aadp].find(isServer)
  if (server === undefined) throw new CommandError(`${path} exports no AADP server as default or as "aadp"`)
  return server
}

async function importModule(path: string): Promise<unknown> {
  try {
    return await import(pathToFileURL(path).href)
  } catch (error) {
    if ((error as { readonly code?: unknown }).code !== 'ERR_UNKNOWN_FILE_EXTENSION') throw error
    throw new CommandError(
      `${(error as Error).message}. TypeScript: npx --yes tsx node_modules/@doorplate/aadp-server/dist/cli.js export <module>`,
    )
  }
}

function isServer(value: unknown): value is AadpServer {
  return typeof value === 'object' && value !== null && 'respond' in value && 'linkHeader' in value
}

function expectArguments(rest: readonly string[], count: number): readonly string[] {
  if (rest.length === count) return rest
  throw new CommandError(`Expected ${String(count)} argument(s), got ${String(rest.length)}.\n\n${USAGE}`, 2)
}

function report(files: readonly string[], { print }: CommandOutput): void {
  for (const file of files) print(`wrote ${file}`)
}
