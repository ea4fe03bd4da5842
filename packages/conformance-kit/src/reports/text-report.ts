import { styleText } from 'node:util'
import type { CheckResult, CheckStatus, ConformanceReport, RunStatus } from '../report.js'
import { counted } from '../counted.js'
import { visibleText } from '../visible-text.js'
import { findingLines } from './finding-lines.js'

/** Options of `renderTextReport`. */
export interface TextReportOptions {
  /** Use ANSI colours. Default false. */
  readonly color?: boolean
  /** Leave out the checks that passed. Default false. */
  readonly quiet?: boolean
}

/** The report as text for people: checks by group, what is wrong with each, a tally and the result. */
export function renderTextReport(report: ConformanceReport, options: TextReportOptions = {}): string {
  const printed = withoutUnreached(report).filter(
    (check) => options.quiet !== true || check.status !== 'passed',
  )
  const checks = printed.map((check, index) => renderTextCheck(check, printed[index - 1], report, options))
  return [renderTextHeader(report), ...checks, renderTextSummary(report, options)].join('')
}

/** What a run did not come to because it ended early is no news: the end is. */
function withoutUnreached({ checks, fatal }: ConformanceReport): readonly CheckResult[] {
  const last = checks.findLastIndex((check) => check.status !== 'skipped')
  return fatal === undefined ? checks : checks.slice(0, last + 1)
}

export function renderTextHeader(
  about: Pick<ConformanceReport, 'runner' | 'protocol' | 'protocol_version' | 'base_url'>,
): string {
  const { runner, protocol, protocol_version: version, base_url: baseUrl } = about
  const line = `${runner.name} ${runner.version}: ${visibleText(baseUrl)} (${protocol.toUpperCase()} ${version})`
  return `${printable(line)}\n`
}

/** One check, with the name of its group when the one printed before belongs to another. */
export function renderTextCheck(
  check: CheckResult,
  previous: CheckResult | undefined,
  report: Pick<ConformanceReport, 'requirements'>,
  { color = false }: TextReportOptions = {},
): string {
  const paint = painter(color)
  const hasNote = isNoted(check)
  const label = hasNote ? NOTED : LABELS[check.status]
  const details = check.status === 'passed' && !hasNote ? [] : detailLines(check, report as ConformanceReport)
  return [
    ...(previous?.group === check.group ? [] : ['', paint('bold', printable(check.group))]),
    `  ${paint(label.style, label.text.padEnd(LABEL_WIDTH))}  ${printable(`${check.id}  ${check.title}`)} ${paint('dim', `(${check.duration_ms}ms)`)}`,
    ...details.map((line) => `    ${printable(line)}`),
    '',
  ].join('\n')
}

export function renderTextSummary(
  report: ConformanceReport,
  { color = false, waitedMs = 0 }: TextReportOptions & { readonly waitedMs?: number } = {},
): string {
  const paint = painter(color)
  const { summary, requests } = report
  const noted = report.checks.filter(isNoted).length
  const withNotes = noted > 0 ? ` (${counted(noted, 'note')})` : ''
  const result = resultOf(report)
  const waited =
    waitedMs > 0
      ? `, of these ${Math.max(1, Math.round(waitedMs / 1_000))} s waiting for the site's limit`
      : ''
  return [
    '',
    `${counted(summary.total, 'check')}: ${summary.passed} passed${withNotes}, ${summary.failed} failed, ${counted(summary.warnings, 'warning')}, ` +
      `${summary.skipped} skipped, ${summary.inconclusive} inconclusive`,
    `${counted(requests.count, 'request')}, ${counted(requests.bytes, 'byte')}, ${report.duration_ms} ms${waited}`,
    ...settingsLine(report),
    ...notes(report).map((note) => printable(note)),
    `RESULT: ${paint(result.style, result.text)}`,
    '',
  ].join('\n')
}

type Style = 'green' | 'red' | 'yellow' | 'magenta' | 'gray' | 'bold' | 'dim'

const LABELS: Readonly<Record<CheckStatus, { readonly text: string; readonly style: Style }>> = {
  passed: { text: 'PASS', style: 'green' },
  failed: { text: 'FAIL', style: 'red' },
  warning: { text: 'WARN', style: 'yellow' },
  skipped: { text: 'SKIP', style: 'gray' },
  inconclusive: { text: 'OPEN', style: 'magenta' },
}

function isNoted({ status, findings }: CheckResult): boolean {
  return status === 'passed' && findings.length > 0
}

/** A check that passed but has something to say: what MAY be there is missing. */
const NOTED: (typeof LABELS)[CheckStatus] = { text: 'NOTE', style: 'green' }

const LABEL_WIDTH = 4

/** A run that came to no judgement of the site says so, as its exit code does. */
function resultOf({ status, fatal }: ConformanceReport): { readonly style: Style; readonly text: string } {
  const style = RESULT_STYLES[status]
  if (fatal === undefined) return { style, text: status.toUpperCase() }
  return { style, text: fatal.code === 'unreachable' ? 'NOT PERFORMED' : 'CANNOT JUDGE' }
}

const RESULT_STYLES: Readonly<Record<RunStatus, Style>> = {
  passed: 'green',
  failed: 'red',
  inconclusive: 'magenta',
}

function detailLines(check: CheckResult, report: ConformanceReport): readonly string[] {
  const isReason = check.findings.length === 0 || check.status === 'inconclusive'
  const reason = isReason && check.message !== undefined ? [check.message] : []
  return [...reason, ...findingLines(check, report)]
}

function notes(report: ConformanceReport): readonly string[] {
  const { summary, status, complete } = report
  const open =
    summary.inconclusive > 0 ? ['OPEN: a check could not see enough. This run certifies nothing.'] : []
  const partial =
    status === 'passed' && !complete ? ['Only selected checks were run. This run certifies nothing.'] : []
  return [...fatalLines(report), ...open, ...partial]
}

/** The one cause, and in one line what a run did not come to because of it. */
function fatalLines({ fatal, checks }: ConformanceReport): readonly string[] {
  if (fatal === undefined) return []
  const last = checks.findLastIndex((check) => check.status !== 'skipped')
  const unreached = checks.length - 1 - last
  const rest = unreached > 0 ? [`${counted(unreached, 'check')} could not be run because of that.`] : []
  return [`${fatal.code}: ${fatal.message}`, ...rest]
}

function settingsLine({ profile, settings }: ConformanceReport): readonly string[] {
  const named = Object.entries(settings).map(([name, value]) => `${name} ${value}`)
  const parts = [...(profile === undefined ? [] : [`profile ${profile}`]), ...named]
  return parts.length === 0 ? [] : [printable(`settings: ${parts.join(', ')}`)]
}

/** A report may come from a file that somebody else wrote. */
function printable(line: string): string {
  return visibleText(line, Infinity)
}

function painter(color: boolean): (style: Style, text: string) => string {
  return (style, text) => (color ? styleText(style, text, { validateStream: false }) : text)
}
