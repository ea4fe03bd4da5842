import { visibleJson } from '@doorplate/conformance-kit'
import {
  describeOptions,
  parseCommandLine,
  runRunnerCli,
  SCHEME_HELP,
  UsageError,
  type CliOption,
  type CommandLine,
  type Terminal,
} from '@doorplate/conformance-kit/cli'
import { withScheme } from '@doorplate/safe-fetch'
import { discover, type DiscoveryResult } from '../discover/discover.js'
import { isAgentDiscoveryError } from '../errors.js'
import { didYouMean } from '../options/did-you-mean.js'
import { toAgentResources } from '../output/agent-resources.js'
import { toLinkset } from '../output/linkset.js'
import { toMarkdownSection } from '../output/markdown-section.js'
import { COMMAND } from '../package-version.js'
import { cleanText } from '../text/untrusted-text.js'
import { NETWORK_OPTIONS, readNetworkOptions } from './network-options.js'
import { readinessCli } from './readiness-cli.js'
import { renderTable } from './render-table.js'

/** Exit codes of `agent-discovery <url>`; they never change. `agent-discovery check` has those of conformance runners. */
const EXIT_CODES = {
  /** Something for agents was verified. */
  found: 0,
  /** Nothing for agents was verified. */
  nothing: 1,
  /** Not performed: wrong command line or an unreachable page. */
  notPerformed: 2,
  /** Stopped before everything was asked. */
  incomplete: 4,
} as const

const OPTIONS: readonly CliOption[] = [
  { name: 'json', kind: 'flag', help: 'print the whole result as JSON' },
  { name: 'markdown', kind: 'flag', help: 'print an "Agent resources" section in Markdown' },
  { name: 'linkset', kind: 'flag', help: 'print a linkset (RFC 9264)' },
  { name: 'fetchkit', kind: 'flag', help: 'print agent_resources in the shape of FetchKit' },
  { name: 'explain', kind: 'flag', help: 'say of everything that was asked how its state is known' },
  ...NETWORK_OPTIONS,
  { name: 'help', kind: 'flag', help: 'print this text' },
  { name: 'version', kind: 'flag', help: 'print the version of this program' },
]

const FORMATS: ReadonlyMap<string, (result: DiscoveryResult) => string> = new Map<
  string,
  (result: DiscoveryResult) => string
>([
  ['json', visibleJson],
  ['markdown', toMarkdownSection],
  ['linkset', (result: DiscoveryResult) => visibleJson(toLinkset(result))],
  ['fetchkit', (result) => visibleJson(toAgentResources(result))],
])

/** Runs `agent-discovery`; resolves with its exit code and throws nothing. */
export async function runDiscoveryCli(argv: readonly string[], terminal: Terminal): Promise<number> {
  if (argv[0] === 'check') return runRunnerCli(readinessCli, argv.slice(1), terminal)
  try {
    const line = parseCommandLine(OPTIONS, argv)
    if (line.flag('help')) return print(terminal, helpText())
    if (line.flag('version')) return print(terminal, `${COMMAND.version}\n`)
    return await run(line, terminal)
  } catch (error) {
    const hint = error instanceof UsageError ? 'Try agent-discovery --help.\n' : ''
    terminal.stderr.write(`agent-discovery: ${messageOf(error)}\n${hint}`)
    return EXIT_CODES.notPerformed
  }
}

async function run(line: CommandLine, terminal: Terminal): Promise<number> {
  const [url, ...rest] = line.positionals
  if (url === undefined || rest.length > 0) throw new UsageError(whatToGive(line.positionals))
  const formats = [...FORMATS.keys()].filter((name) => line.flag(name))
  if (formats.length > 1) throw new UsageError(`Give one of --${formats.join(' and --')}.`)
  const { options, fetch } = readNetworkOptions(withScheme(url), line, terminal.signal)
  try {
    const result = await discover(withScheme(url), options)
    if (result.page.message !== undefined) terminal.stderr.write(`agent-discovery: ${failure(result.page)}\n`)
    const format = FORMATS.get(formats[0] ?? '') ?? ((table) => renderTable(table, line.flag('explain')))
    terminal.stdout.write(format(result))
    return exitCodeOf(result)
  } finally {
    await fetch.close()
  }
}

/** A word before the URL was meant as a command; the only one there is comes before all options. */
function whatToGive([word = '', ...rest]: readonly string[]): string {
  if (rest.length === 0 || /[.:/]/.test(word)) return 'Give one URL.'
  if (word === 'check') return 'Write check before its options.'
  const hint = didYouMean(word, ['check'])
  return `There is no command ${cleanText(word, 60)}.${hint === '' ? ' Give one URL.' : hint}`
}

function failure({ message = '', reasons }: DiscoveryResult['page']): string {
  const hint = reasons.includes('blocked-by-policy')
    ? ' Here, --allow-private-network lets it be a private one.'
    : ''
  return message + hint
}

function exitCodeOf({ page, resources, budget }: DiscoveryResult): number {
  if (resources.some(({ verified }) => verified)) return EXIT_CODES.found
  if (page.state === 'error') return EXIT_CODES.notPerformed
  return budget.stopped === undefined ? EXIT_CODES.nothing : EXIT_CODES.incomplete
}

function print({ stdout }: Terminal, text: string): number {
  stdout.write(text)
  return EXIT_CODES.found
}

function helpText(): string {
  return [
    'agent-discovery <url>        finds what a site offers to agents, verified by content',
    'agent-discovery check <url>  reports what is broken, missing or not applicable (see check --help)',
    '',
    SCHEME_HELP,
    '',
    'Options:',
    describeOptions(OPTIONS),
    'Exit codes:',
    '  0  something for agents was verified',
    '  1  nothing for agents was verified',
    '  2  not performed: wrong command line, or the page could not be fetched',
    '  4  stopped before everything was asked, and nothing was verified until then',
    '',
  ].join('\n')
}

function messageOf(error: unknown): string {
  if (error instanceof UsageError || isAgentDiscoveryError(error)) return cleanText(error.message, 500)
  return error instanceof Error ? cleanText(`${error.name}: ${error.message}`, 500) : 'The run was aborted.'
}
