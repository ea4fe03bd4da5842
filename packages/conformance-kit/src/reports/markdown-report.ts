import type { CheckResult, CheckStatus, ConformanceReport, RunStatus } from '../report.js'
import { counted } from '../counted.js'
import { visibleText } from '../visible-text.js'

/** The report as Markdown for a pull request. Everything that may come from the site stands in code spans. */
export function renderMarkdownReport(report: ConformanceReport): string {
  const { runner, protocol, protocol_version: version, requests, summary } = report
  const bad = report.checks.filter(
    (check) => check.status === 'failed' || check.status === 'warning' || check.status === 'inconclusive',
  )
  return [
    `## ${RESULT_MARKS[report.status]} ${escapeCell(runner.name)}: ${report.status}`,
    '',
    `${codeSpan(report.base_url)} · ${escapeCell(`${protocol.toUpperCase()} ${version}`)} · ${counted(requests.count, 'request')} · ${report.duration_ms} ms`,
    '',
    '| checks | passed | failed | warnings | skipped | inconclusive |',
    '| -----: | -----: | -----: | -------: | ------: | -----------: |',
    `| ${summary.total} | ${summary.passed} | ${summary.failed} | ${summary.warnings} | ${summary.skipped} | ${summary.inconclusive} |`,
    ...(report.fatal ? ['', `**${report.fatal.code}**: ${codeSpan(report.fatal.message)}`] : []),
    ...bad.flatMap((check) => renderCheck(check, report)),
    '',
    '<details><summary>All checks</summary>',
    '',
    '| | check | what |',
    '| --- | --- | --- |',
    ...report.checks.map(
      (check) => `| ${MARKS[check.status]} | ${codeSpan(check.id)} | ${escapeCell(check.title)} |`,
    ),
    '',
    '</details>',
    '',
  ].join('\n')
}

const MARKS: Readonly<Record<CheckStatus, string>> = {
  passed: '✅',
  failed: '❌',
  warning: '⚠️',
  skipped: '➖',
  inconclusive: '❔',
}

const RESULT_MARKS: Readonly<Record<RunStatus, string>> = { passed: '✅', failed: '❌', inconclusive: '❔' }

function renderCheck(check: CheckResult, report: ConformanceReport): readonly string[] {
  const cited = [...new Set(check.findings.map((finding) => finding.requirement))]
  const reason = check.findings.length === 0 || check.status === 'inconclusive' ? [check.message ?? ''] : []
  const more = check.finding_count - check.findings.length
  return [
    '',
    `### ${MARKS[check.status]} ${codeSpan(check.id)} ${escapeCell(check.title)}`,
    '',
    ...reason.map((text) => `- ${codeSpan(text)}`),
    ...check.findings.map((finding) => `- ${codeSpan(finding.message)}${place(finding)}`),
    ...(more > 0 ? [`- and ${more} more`] : []),
    ...cited.flatMap((id) => requirement(id, report)),
    ...(check.hint === undefined ? [] : ['', `**Fix:** ${escapeCell(check.hint)}`]),
  ]
}

function place({ url, pointer }: CheckResult['findings'][number]): string {
  const where = `${url ?? ''}${pointer ? `#${pointer}` : ''}`
  return where === '' ? '' : ` at ${codeSpan(where)}`
}

function requirement(id: string, report: ConformanceReport): readonly string[] {
  const found = Object.hasOwn(report.requirements, id) ? report.requirements[id] : undefined
  return found === undefined ? [] : ['', `> **${escapeCell(id)}** ${found.level}: ${escapeCell(found.text)}`]
}

/** A code span ends at nothing inside of it, mentions nobody and links nowhere (CommonMark 6.1). */
function codeSpan(text: string): string {
  const printable = visibleText(text, Infinity).replaceAll('|', '¦')
  const longestRun = Math.max(0, ...[...printable.matchAll(/`+/g)].map(([run]) => run.length))
  const fence = '`'.repeat(longestRun + 1)
  const pad = printable === '' || /^[` ]|[` ]$/.test(printable) ? ' ' : ''
  return `${fence}${pad}${printable}${pad}${fence}`
}

/** Our own prose; code in backticks is kept, a table cell is not left. */
function escapeCell(text: string): string {
  return visibleText(text, Infinity).replace(/[<>|]/g, (character) => `\\${character}`)
}
