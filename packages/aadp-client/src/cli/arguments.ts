import { parseArgs } from 'node:util'
import { withScheme } from '@doorplate/safe-fetch'
import type { ClientOptions, DiscoverAllEntitiesOptions, DiscoveryBudget } from '../index.js'
import { nearestName } from '../options/nearest-name.js'

/** What the command line asks for. */
export type Command =
  | { readonly name: 'help' }
  | { readonly name: 'version' }
  | { readonly name: 'tree' | 'entities'; readonly request: Request }
  | { readonly name: 'sync'; readonly request: Request; readonly store: string }

export interface Request {
  readonly origin: string
  readonly json: boolean
  readonly dangerouslyAllow: readonly string[]
  readonly client: ClientOptions
  readonly limits: DiscoveryBudget
  readonly walk: Pick<DiscoverAllEntitiesOptions, 'concurrency' | 'ordered' | 'types' | 'onError'>
}

/** The command line is wrong; the message says how. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

export const USAGE = `Usage:
  aadp-read <origin>                         print the application and its resources
  aadp-read <origin> --entities              print every entity, one JSON document per line
  aadp-read sync <origin> --store <file>     keep a mirror in an SQLite file

An origin without a scheme is one of https, and of http on this machine (localhost:3000).

Options:
  --json                     print JSON (with sync: one line per change, then the summary)
  --types <a,b>              only resources and entities of these types
  --concurrency <n>          requests in flight (default 4)
  --unordered                entities as they arrive, not in the order of the lists
  --fail-fast                stop at the first unusable document instead of leaving it out
  --max-pages <n>            sitemap pages (default 10000)
  --max-entities <n>         entities (default 100000)
  --max-requests <n>         requests of every kind (default: no limit)
  --max-bytes <n>            response bytes (default: no limit)
  --max-seconds <n>          the whole run (default 300)
  --retries <n>              further attempts after transient failures (default 0)
  --respect-robots           leave out what robots.txt disallows
  --delay-ms <n>             between two requests to one origin (default 0)
  --header '<name>: <value>' sent to the origin only; may be repeated
  --allow-private-network    let the host that is given be a private one
  --dangerously-allow <host> a host, host:port or address range that may be private; may be repeated
  --help, -h                 print this text
  --version                  print the version of this program

Exit codes:
  0  everything was read
  1  something was left out, or a limit ended the run
  2  the command line is wrong
  3  the site cannot be read: unreachable, refused, or no AADP application
  130  interrupted
`

const OPTIONS = {
  json: { type: 'boolean' },
  entities: { type: 'boolean' },
  store: { type: 'string' },
  types: { type: 'string' },
  concurrency: { type: 'string' },
  unordered: { type: 'boolean' },
  'fail-fast': { type: 'boolean' },
  'max-pages': { type: 'string' },
  'max-entities': { type: 'string' },
  'max-requests': { type: 'string' },
  'max-bytes': { type: 'string' },
  'max-seconds': { type: 'string' },
  retries: { type: 'string' },
  'respect-robots': { type: 'boolean' },
  'delay-ms': { type: 'string' },
  header: { type: 'string', multiple: true },
  'allow-private-network': { type: 'boolean' },
  'dangerously-allow': { type: 'string', multiple: true },
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean' },
} as const

type Values = ReturnType<typeof parseArgs<{ options: typeof OPTIONS; allowPositionals: true }>>['values']

/** Throws `UsageError`. */
export function parseCommand(args: readonly string[]): Command {
  const { values, positionals } = parse(args)
  if (values.help === true) return { name: 'help' }
  if (values.version === true) return { name: 'version' }
  const isSync = positionals[0] === 'sync'
  const [origin, ...rest] = isSync ? positionals.slice(1) : positionals
  if (origin === undefined) throw new UsageError('An origin is missing.')
  if (rest.length > 0) throw new UsageError(`Unexpected argument: ${rest.join(' ')}`)
  const request = requestOf(origin, values)
  if (isSync) {
    if (values.store === undefined) throw new UsageError('sync needs --store.')
    if (values.entities === true) throw new UsageError('--entities does not go with sync.')
    return { name: 'sync', request, store: values.store }
  }
  if (values.store !== undefined) throw new UsageError('--store only goes with sync.')
  return { name: values.entities === true ? 'entities' : 'tree', request }
}

function parse(args: readonly string[]): { values: Values; positionals: string[] } {
  try {
    return parseArgs({ args: [...args], options: OPTIONS, allowPositionals: true })
  } catch (error) {
    const [problem = ''] = (error as Error).message.split(/\.\s/)
    throw new UsageError(`${problem}.${hint(problem)}`)
  }
}

function hint(problem: string): string {
  const [, unknown] = /^Unknown option '--(.+)'/.exec(problem) ?? []
  const meant = unknown === undefined ? undefined : nearestName(unknown, Object.keys(OPTIONS))
  return meant === undefined ? '' : ` Did you mean --${meant}?`
}

function requestOf(text: string, values: Values): Request {
  const origin = withScheme(text)
  if (!URL.canParse(origin) || !/^https?:$/.test(new URL(origin).protocol)) {
    throw new UsageError(`Not an origin: ${text}`)
  }
  const own = values['allow-private-network'] === true ? [hostAndPort(new URL(origin))] : []
  const seconds = number(values, 'max-seconds')
  const retries = number(values, 'retries') ?? 0
  return {
    origin,
    json: values.json === true,
    dangerouslyAllow: [...own, ...(values['dangerously-allow'] ?? [])],
    client: {
      respectRobots: values['respect-robots'] === true,
      headers: headersOf(values.header ?? []),
      ...(retries > 0 && { retry: { maxAttempts: retries + 1 } }),
      ...given({ minDelayPerOriginMs: number(values, 'delay-ms') }),
    },
    limits: given({
      maxPages: number(values, 'max-pages'),
      maxEntities: number(values, 'max-entities'),
      maxRequests: number(values, 'max-requests'),
      maxTotalBytes: number(values, 'max-bytes'),
      deadlineMs: seconds && seconds * 1_000,
    }),
    walk: {
      ordered: values.unordered !== true,
      onError: values['fail-fast'] === true ? 'throw' : 'skip',
      ...given({
        concurrency: number(values, 'concurrency'),
        types: values.types?.split(',').map((type) => type.trim()),
      }),
    },
  }
}

/** With the port that its scheme has by default: without one every port of the host would be meant. */
function hostAndPort({ protocol, hostname, port }: URL): string {
  return `${hostname}:${port || (protocol === 'https:' ? '443' : '80')}`
}

/** Without what the command line does not mention. */
function given<Members extends object>(
  members: Members,
): { readonly [K in keyof Members]?: Exclude<Members[K], undefined> } {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as never
}

type NumberOption = Extract<keyof Values, `max-${string}` | 'concurrency' | 'retries' | 'delay-ms'>

function number(values: Values, option: NumberOption): number | undefined {
  const text = values[option]
  if (text === undefined) return undefined
  const minimum = option === 'retries' || option === 'delay-ms' ? 0 : 1
  if (!/^\d{1,15}$/.test(text) || Number(text) < minimum) {
    throw new UsageError(
      `--${option} needs a whole number of at least ${minimum}, not ${JSON.stringify(text)}.`,
    )
  }
  return Number(text)
}

/** The value of a malformed header is not repeated: it may be a secret. */
function headersOf(lines: readonly string[]): Record<string, string> {
  const headers = new Headers()
  for (const line of lines) {
    const colon = line.indexOf(':')
    try {
      if (colon < 1) throw new UsageError('no colon')
      headers.append(line.slice(0, colon), line.slice(colon + 1).trim())
    } catch {
      throw new UsageError("--header needs '<name>: <value>'.")
    }
  }
  return Object.fromEntries(headers)
}
