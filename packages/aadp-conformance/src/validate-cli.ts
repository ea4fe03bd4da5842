import { KINDS, type Kind } from '@doorplate/aadp-schemas'
import { EXIT_CODES, visibleJson, visibleText } from '@doorplate/conformance-kit'
import {
  describeOptions,
  parseCommandLine,
  UsageError,
  type CliOption,
  type CommandLine,
  type Terminal,
} from '@doorplate/conformance-kit/cli'
import { createSafeFetch, isSafeFetchError, type SafeFetch } from '@doorplate/safe-fetch'
import { RUNNER } from './package-version.js'
import { expandSources, isUrl, readSource, shownSource, type ReadStdin } from './validate/read-source.js'
import { validateText, type TextIssue, type Unjudged } from './validate/validate-text.js'

const NAME = 'aadp-validate'

const OPTIONS: readonly CliOption[] = [
  {
    name: 'aadp-version',
    kind: 'text',
    value: '<v>',
    help: 'version to judge by (default: what the document declares)',
  },
  { name: 'json', kind: 'flag', help: 'print the results as JSON and nothing else' },
  { name: 'allow-private-network', kind: 'flag', help: 'let the hosts of the given URLs be private ones' },
  {
    name: 'dangerously-allow',
    kind: 'list',
    value: '<host>',
    help: 'another host, host:port or CIDR block that may be private; repeatable',
  },
  { name: 'help', kind: 'flag', help: 'print this text' },
  { name: 'version', kind: 'flag', help: 'print the version of this program' },
]

/** The result for one source: what `--json` prints a list of. */
interface SourceResult {
  readonly source: string
  readonly kind: Kind
  readonly aadp_version?: string
  /** Absent when the document could not be judged. */
  readonly valid?: boolean
  readonly issues: readonly TextIssue[]
  readonly error?: { readonly code: Unjudged['code'] | 'unreadable'; readonly message: string }
}

/** Runs the command `aadp-validate`; resolves with its exit code and throws nothing. */
export async function runValidateCli(
  argv: readonly string[],
  terminal: Terminal,
  readStdin: ReadStdin,
): Promise<number> {
  const { stdout, stderr } = terminal
  try {
    const line = parseCommandLine(OPTIONS, withoutOldSpelling(argv))
    if (line.flag('help')) return print(stdout, helpText())
    if (line.flag('version')) {
      // Such as "--version 2": not to be taken for a document that was found to be valid.
      if (line.positionals.length > 0)
        throw new UsageError('The version to judge by is given with --aadp-version.')
      return print(stdout, `${RUNNER.version}\n`)
    }
    const results = await validateSources(line, readStdin)
    if (line.flag('json')) stdout.write(visibleJson(results))
    else for (const result of results) printResult(result, terminal)
    return exitCode(results)
  } catch (error) {
    const isUsage =
      error instanceof UsageError || (isSafeFetchError(error) && error.code === 'invalid_option')
    const message = error instanceof Error ? visibleText(error.message) : 'unknown reason'
    stderr.write(isUsage ? `${NAME}: ${message}\nTry ${NAME} --help.\n` : `${NAME}: broke: ${message}\n`)
    return isUsage ? EXIT_CODES.notPerformed : EXIT_CODES.cannotJudge
  }
}

/** `--version 1.0` used to choose the version of the protocol. */
function withoutOldSpelling(argv: readonly string[]): readonly string[] {
  return argv.flatMap((argument, index) => {
    const next = argv[index + 1] ?? ''
    if (argument === '--version' && WIRE_VERSION.test(next)) return ['--aadp-version']
    return argument.startsWith('--version=')
      ? [argument.replace('--version=', '--aadp-version=')]
      : [argument]
  })
}

const WIRE_VERSION = /^\d+\.\d+$/

async function validateSources(line: CommandLine, readStdin: ReadStdin): Promise<readonly SourceResult[]> {
  const [kindName, ...given] = line.positionals
  const kind = KINDS.find((known) => known === kindName)
  if (kind === undefined)
    throw new UsageError(`The first argument is the kind of the documents: ${KINDS.join(', ')}.`)
  if (given.length === 0)
    throw new UsageError('There is nothing to validate: give files, URLs or - for the standard input.')
  const sources = await expandSources(given)
  const fetch = guardedFetch(line, sources)
  try {
    const results: SourceResult[] = []
    for (const source of sources)
      results.push(await validateSource(source, kind, line.text('aadp-version'), fetch, readStdin))
    return results
  } finally {
    await fetch.close()
  }
}

function guardedFetch(line: CommandLine, sources: readonly string[]): SafeFetch {
  const own = line.flag('allow-private-network')
    ? sources
        .filter(isUrl)
        .filter((url) => URL.canParse(url))
        .map(hostAndPort)
    : []
  return createSafeFetch({ dangerouslyAllow: [...own, ...line.list('dangerously-allow')] })
}

async function validateSource(
  source: string,
  kind: Kind,
  wireVersion: string | undefined,
  fetch: SafeFetch,
  readStdin: ReadStdin,
): Promise<SourceResult> {
  const about = { source: shownSource(source), kind }
  const content = await readSource(source, fetch, readStdin)
  if ('fault' in content)
    return { ...about, issues: [], error: { code: 'unreadable', message: content.fault } }
  const verdict = validateText(content.bytes, kind, wireVersion)
  if ('unjudged' in verdict) return { ...about, issues: [], error: verdict.unjudged }
  const { version, issues } = verdict
  return {
    ...about,
    aadp_version: version,
    valid: !issues.some(({ level }) => level === 'error'),
    issues,
  }
}

function printResult(
  { source, kind, aadp_version: version, valid, issues, error }: SourceResult,
  { stdout, stderr }: Terminal,
): void {
  const name = visibleText(source, 2_048)
  if (error !== undefined) {
    stderr.write(`${name}: ${error.message}\n`)
    return
  }
  for (const { line, column, level, rule, path, message } of issues) {
    stderr.write(`${name}:${line}:${column}: ${level} ${rule} ${path === '' ? '(root)' : path}: ${message}\n`)
  }
  stdout.write(`${name}: ${valid === true ? 'valid' : 'invalid'} (${kind} ${version ?? ''})\n`)
}

/** A document that could not be judged weighs more than one that is invalid: the answer is incomplete. */
function exitCode(results: readonly SourceResult[]): number {
  const isVersion = ({ error }: SourceResult): boolean => error?.code === 'unsupported_version'
  if (results.some((result) => result.error !== undefined && !isVersion(result)))
    return EXIT_CODES.notPerformed
  if (results.some(isVersion)) return EXIT_CODES.cannotJudge
  return results.every(({ valid }) => valid === true) ? EXIT_CODES.passed : EXIT_CODES.failed
}

function hostAndPort(source: string): string {
  const { protocol, hostname, port } = new URL(source)
  return `${hostname}:${port || (protocol === 'https:' ? '443' : '80')}`
}

function print(stdout: Terminal['stdout'], text: string): number {
  stdout.write(text)
  return EXIT_CODES.passed
}

function helpText(): string {
  return [
    'Validates AADP documents: schema, meaning and checksum, with line and column.',
    '',
    `Usage: ${NAME} <kind> <source>... [options]`,
    '',
    `Kinds:   ${KINDS.join(', ')}`,
    'Sources: files, patterns such as "site/**/*.json", http(s) URLs, - for the standard input',
    '',
    'Options:',
    describeOptions(OPTIONS),
    'Exit codes:',
    '  0  every document is valid',
    '  1  a document is invalid',
    '  2  not performed: wrong command line, unreadable source, no JSON, unknown version',
    '  3  a document is of a version that is not supported',
    '',
  ].join('\n')
}
