import type { CheckResult, ConformanceReport } from '../report.js'
import { findingLines } from './finding-lines.js'
import { xmlAttribute, xmlText } from './xml-text.js'

/**
 * The report as JUnit XML, valid against the schemas of Ant and of Jenkins. Each check is a test case. A check that
 * stayed inconclusive is an error, so that no dashboard shows it green; a warning is a failure only where warnings fail.
 */
export function renderJUnitReport(report: ConformanceReport): string {
  const cases = [...report.checks.map((check) => testCase(check, report)), ...fatalCase(report)]
  const { protocol, started_at: startedAt } = report
  const suite = {
    name: `${report.runner.name} ${report.base_url}`,
    package: `${protocol}.conformance`,
    id: '0',
    timestamp: startedAt.slice(0, 'YYYY-MM-DDThh:mm:ss'.length),
    hostname: 'localhost',
    tests: String(cases.length),
    failures: String(count(cases, 'failure')),
    errors: String(count(cases, 'error')),
    skipped: String(count(cases, 'skipped')),
    time: seconds(report.duration_ms),
  }
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<testsuites>',
    `  <testsuite${attributes(suite)}>`,
    '    <properties>',
    ...properties(report).map(([name, value]) => `      <property${attributes({ name, value })}/>`),
    '    </properties>',
    ...cases.map(renderCase),
    `    <system-out>${xmlText(warnings(report))}</system-out>`,
    '    <system-err></system-err>',
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n')
}

interface TestCase {
  readonly classname: string
  readonly name: string
  readonly durationMs: number
  readonly result?: {
    readonly element: 'failure' | 'error' | 'skipped'
    readonly message: string
    readonly type?: string
    readonly text?: string
  }
}

function testCase(check: CheckResult, report: ConformanceReport): TestCase {
  const result = caseResult(check, report)
  return {
    classname: `${report.protocol}.conformance.${check.group}`,
    name: `${check.id} ${check.title}`,
    durationMs: check.duration_ms,
    ...(result && { result }),
  }
}

function caseResult(check: CheckResult, report: ConformanceReport): TestCase['result'] {
  const message = check.message ?? check.title
  const text = findingLines(check, report).join('\n')
  switch (check.status) {
    case 'failed':
      return { element: 'failure', message, type: 'failed', text }
    case 'warning':
      return report.fail_on_warning ? { element: 'failure', message, type: 'warning', text } : undefined
    case 'inconclusive':
      return { element: 'error', message, type: 'inconclusive', text }
    case 'skipped':
      return { element: 'skipped', message }
    case 'passed':
      return undefined
  }
}

/** What ended the run gets a test case of its own, unless a failed check says it already. */
function fatalCase({ fatal, protocol, checks }: ConformanceReport): readonly TestCase[] {
  if (fatal === undefined || checks.some((check) => check.status === 'failed')) return []
  const result = { element: 'error', message: fatal.message, type: fatal.code, text: '' } as const
  return [{ classname: `${protocol}.conformance`, name: 'run', durationMs: 0, result }]
}

function renderCase({ classname, name, durationMs, result }: TestCase): string {
  const opening = `    <testcase${attributes({ classname, name, time: seconds(durationMs) })}`
  if (result === undefined) return `${opening}/>`
  const { element, message, type, text = '' } = result
  const inner = `<${element}${attributes({ message, ...(type !== undefined && { type }) })}>${xmlText(text)}</${element}>`
  return `${opening}>\n      ${inner}\n    </testcase>`
}

function properties(report: ConformanceReport): readonly (readonly [string, string])[] {
  const { protocol, protocol_version: version, runner, profile, settings } = report
  return [
    ['protocol', `${protocol} ${version}`],
    ['runner', `${runner.name} ${runner.version}`],
    ['status', report.status],
    ...(profile === undefined ? [] : ([['profile', profile]] as const)),
    ...Object.entries(settings).map(([name, value]) => [name, String(value)] as const),
  ]
}

function warnings(report: ConformanceReport): string {
  if (report.fail_on_warning) return ''
  return report.checks
    .filter((check) => check.status === 'warning')
    .flatMap((check) => [`warning: ${check.id} ${check.title}`, ...findingLines(check, report)])
    .join('\n')
}

function count(cases: readonly TestCase[], element: string): number {
  return cases.filter((testCase) => testCase.result?.element === element).length
}

function attributes(values: Readonly<Record<string, string>>): string {
  return Object.entries(values)
    .map(([name, value]) => ` ${name}="${xmlAttribute(value)}"`)
    .join('')
}

function seconds(durationMs: number): string {
  return (durationMs / 1000).toFixed(3)
}
