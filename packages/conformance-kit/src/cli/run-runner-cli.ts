import { readFile } from 'node:fs/promises'
import type { Check, RequirementLookup } from '../check.js'
import { explainCheck, listChecks } from '../describe-checks.js'
import { isConformanceError, type ConformanceErrorCode } from '../errors.js'
import { EXIT_CODES, exitCodeFor } from '../exit-code.js'
import type { CheckResult, ConformanceReport } from '../report.js'
import { diffReports, renderDiff } from '../reports/diff-reports.js'
import { parseReport, renderJsonReport } from '../reports/json-report.js'
import { renderTextCheck, renderTextHeader, renderTextSummary } from '../reports/text-report.js'
import type { LoggedRequest } from '../request-log.js'
import { citedRequirements } from '../check-result.js'
import { selectChecks, type Selection } from '../select-checks.js'
import { visibleJson, visibleText } from '../visible-text.js'
import {
  describeOptions,
  parseCommandLine,
  UsageError,
  type CliOption,
  type CommandLine,
} from './command-line.js'
import { EXIT_CODE_HELP, RUNNER_OPTIONS } from './runner-options.js'
import { useColor, type Terminal } from './terminal.js'
import { Progress } from './progress.js'
import { writeReports } from './write-reports.js'

/** A conformance runner as a command. */
export interface RunnerCli {
  /** Name of the command. */
  readonly name: string
  readonly version: string
  /** Upper-case letters are fine: it is lower-cased in reports. */
  readonly protocol: string
  /** What it does, in one sentence. */
  readonly summary: string
  readonly informationUri: string
  /** What follows the name on the command line. Default: `<base-url> [options]`. */
  readonly usage?: string
  /** A sentence of the help about what may stand there. Default: none. */
  readonly usageNote?: string
  /** Options besides those that every runner has. */
  readonly options: readonly CliOption[]
  /**
   * Reads the command line, and the environment for what others on the machine must not see. It is called before any request.
   *
   * @throws {UsageError} or any error with code `invalid_option` or `unsupported_version`
   */
  readonly plan: (line: CommandLine, env: Terminal['env']) => RunnerPlan
}

/** A run as a command line asks for it. */
export interface RunnerPlan {
  readonly protocolVersion: string
  readonly checks: readonly Check<never>[]
  readonly requirementOf: RequirementLookup
  /** Absent when the command line names no target. */
  readonly run?: (hooks: RunnerHooks) => Promise<ConformanceReport>
  readonly baseUrl?: string
}

/** What the command asks of every run, and what it is told while that goes on. */
export interface RunnerHooks extends Selection {
  readonly failOnWarning: boolean
  readonly signal: AbortSignal
  readonly onCheck: (result: CheckResult) => void
  readonly onRequest: (request: LoggedRequest) => void
  readonly onWait: (waitMs: number) => void
}

/** Runs the command; resolves with its exit code and throws nothing. */
export async function runRunnerCli(
  cli: RunnerCli,
  argv: readonly string[],
  terminal: Terminal,
): Promise<number> {
  try {
    const line = parseCommandLine([...cli.options, ...RUNNER_OPTIONS], argv)
    if (line.flag('help')) return print(terminal, helpText(cli))
    if (line.flag('version')) return print(terminal, `${cli.version}\n`)
    if (line.positionals[0] === 'diff') return await runDiff(line, terminal)
    const plan = cli.plan(line, terminal.env)
    if (line.flag('list')) return print(terminal, listChecks(plan.checks, plan.requirementOf))
    const explained = line.text('explain')
    if (explained !== undefined) {
      const chosen = selectChecks(plan.checks, { only: [explained] }).filter((check) =>
        matches(check.id, explained),
      )
      return print(terminal, chosen.map((check) => explainCheck(check, plan.requirementOf)).join('\n'))
    }
    if (plan.run === undefined) throw new UsageError('There is no base URL.')
    return await runAndReport(cli, plan, plan.run, line, terminal)
  } catch (error) {
    return explainFailure(cli, error, terminal)
  }
}

async function runAndReport(
  cli: RunnerCli,
  plan: RunnerPlan,
  run: NonNullable<RunnerPlan['run']>,
  line: CommandLine,
  terminal: Terminal,
): Promise<number> {
  const isText = !line.flag('json')
  const textOptions = { color: useColor(line, terminal), quiet: line.flag('quiet') }
  const requests: LoggedRequest[] = []
  const keepsRequests = line.text('request-log') !== undefined
  const held: CheckResult[] = []
  let printed: CheckResult | undefined
  const about = {
    runner: { name: cli.name, version: cli.version },
    protocol: cli.protocol.toLowerCase(),
    protocol_version: plan.protocolVersion,
    base_url: plan.baseUrl ?? '',
  }
  const progress = new Progress(terminal, { name: cli.name, isForced: line.flag('progress') })
  const printCheck = (result: CheckResult): void => {
    if (textOptions.quiet && result.status === 'passed') return
    const requirements = citedRequirements([result], plan.requirementOf)
    terminal.stdout.write(renderTextCheck(result, printed, { requirements }, textOptions))
    printed = result
  }
  // A run that is refused because of an option prints nothing here.
  const printHeader = once(() => terminal.stdout.write(renderTextHeader(about)))
  const hooks: RunnerHooks = {
    ...selectionFrom(line),
    failOnWarning: line.flag('fail-on-warning'),
    signal: terminal.signal,
    onCheck: (result) => {
      progress.countCheck()
      if (!isText) return
      progress.clear()
      printHeader()
      held.push(result)
      // Skipped checks wait: what a run did not come to because it ended early is no news.
      if (result.status !== 'skipped') held.splice(0).forEach(printCheck)
    },
    onRequest: (request) => {
      progress.countRequest()
      if (keepsRequests) requests.push(request)
    },
    onWait: (waitMs) => {
      progress.tellWait(waitMs)
    },
  }
  const report = await run(hooks).finally(() => {
    progress.end()
  })
  if (isText && report.fatal === undefined) held.forEach(printCheck)
  const { waitedMs } = progress
  terminal.stdout.write(
    isText ? renderTextSummary(report, { ...textOptions, waitedMs }) : renderJsonReport(report),
  )
  const failures = await writeReports(report, requests, line, cli.informationUri)
  for (const failure of failures) terminal.stderr.write(`${cli.name}: ${failure}\n`)
  return failures.length > 0 ? EXIT_CODES.notPerformed : exitCodeFor(report)
}

function selectionFrom(line: CommandLine): Selection {
  const [only, skip] = [line.list('only'), line.list('skip')]
  return { ...(only.length > 0 && { only }), ...(skip.length > 0 && { skip }) }
}

function once(work: () => void): () => void {
  let isDone = false
  return () => {
    if (!isDone) work()
    isDone = true
  }
}

async function runDiff(line: CommandLine, terminal: Terminal): Promise<number> {
  const [, before, after, ...rest] = line.positionals
  if (before === undefined || after === undefined || rest.length > 0) {
    throw new UsageError('diff takes two JSON reports: the earlier and the later.')
  }
  // In this order, so that of two faults the same one is told each time.
  const earlier = await readReport(before)
  const diff = diffReports(earlier, await readReport(after))
  terminal.stdout.write(line.flag('json') ? visibleJson(diff) : renderDiff(diff))
  return diff.regressions.length > 0 ? EXIT_CODES.failed : EXIT_CODES.passed
}

async function readReport(path: string): Promise<ConformanceReport> {
  try {
    return parseReport(await readFile(path, 'utf8'))
  } catch (cause) {
    const reason = isConformanceError(cause) ? cause.message : 'The file cannot be read.'
    throw new UsageError(`${visibleText(path)}: ${reason}`, { cause })
  }
}

/** What was typed may come from somebody else, and is repeated in the message. */
function explainFailure(cli: RunnerCli, error: unknown, { stderr }: Terminal): number {
  const said = error instanceof Error ? visibleText(error.message) : 'unknown reason'
  if (isCallersFault(error)) {
    const help = isConformanceFault(error, 'unknown_check') ? '--list' : '--help'
    stderr.write(`${cli.name}: ${said}\nTry ${cli.name} ${help}.\n`)
    return EXIT_CODES.notPerformed
  }
  if (error instanceof Error && 'code' in error && error.code === 'unsupported_version') {
    stderr.write(`${cli.name}: ${said}\n`)
    return EXIT_CODES.cannotJudge
  }
  stderr.write(`${cli.name}: broke: ${said}\n`)
  return EXIT_CODES.cannotJudge
}

/** A runner may have told it in words of its own, and kept the cause. */
function isConformanceFault(error: Error, code: ConformanceErrorCode): boolean {
  return [error, error.cause].some((fault) => isConformanceError(fault) && fault.code === code)
}

/** Option errors of the packages under a runner have a code, not a class, in common. */
function isCallersFault(error: unknown): error is Error {
  if (error instanceof UsageError) return true
  if (!(error instanceof Error) || !('code' in error)) return false
  return CALLERS_FAULTS.has(error.code)
}

const CALLERS_FAULTS: ReadonlySet<unknown> = new Set([
  'invalid_option',
  'invalid_base_url',
  'unknown_check',
  'incomparable_reports',
])

function helpText(cli: RunnerCli): string {
  return [
    cli.summary,
    '',
    `Usage: ${cli.name} ${cli.usage ?? '<base-url> [options]'}`,
    `       ${cli.name} diff <earlier.json> <later.json>`,
    ...(cli.usageNote === undefined ? [] : ['', cli.usageNote]),
    '',
    'Options:',
    describeOptions([...cli.options, ...RUNNER_OPTIONS]),
    EXIT_CODE_HELP,
  ].join('\n')
}

function matches(id: string, name: string): boolean {
  return id === name || (name.endsWith('.*') && id.startsWith(name.slice(0, -1)))
}

function print({ stdout }: Terminal, text: string): number {
  stdout.write(text)
  return EXIT_CODES.passed
}
