import { ConformanceError } from '../errors.js'
import type { CheckStatus, ConformanceReport } from '../report.js'
import { visibleText } from '../visible-text.js'

/** What became of one check between two reports. */
export interface CheckChange {
  readonly id: string
  readonly title: string
  /** `absent` when only the later report has the check. */
  readonly before: CheckStatus | 'absent'
  /** `absent` when only the earlier report has the check. */
  readonly after: CheckStatus | 'absent'
}

/** Something besides the site that can make two reports differ. */
export interface RunDifference {
  /** Such as `base_url` or `settings.entities`. */
  readonly name: string
  /** Undefined when only the later report says it. */
  readonly before: string | number | boolean | undefined
  /** Undefined when only the earlier report says it. */
  readonly after: string | number | boolean | undefined
}

/** What two reports differ in. */
export interface ReportDiff {
  /** In what the runs were unlike: what became of the checks may be due to that. */
  readonly differences: readonly RunDifference[]
  /** Checks that are worse than before: newly failed, newly warned about, no longer conclusive, or gone. */
  readonly regressions: readonly CheckChange[]
  readonly improvements: readonly CheckChange[]
  /** Neither better nor worse, such as a check that no longer applies. */
  readonly others: readonly CheckChange[]
  readonly unchanged: number
}

/**
 * Compares two reports check by check.
 *
 * @throws {ConformanceError} `incomparable_reports` when they are about different protocols
 */
export function diffReports(before: ConformanceReport, after: ConformanceReport): ReportDiff {
  if (before.protocol !== after.protocol) {
    const protocols = `${visibleText(before.protocol, 40)} and ${visibleText(after.protocol, 40)}`
    throw new ConformanceError('incomparable_reports', `The reports are about ${protocols}.`)
  }
  const earlier = new Map(before.checks.map((check) => [check.id, check]))
  const later = new Map(after.checks.map((check) => [check.id, check]))
  const ids = [...new Set([...later.keys(), ...earlier.keys()])]
  const all = ids.map((id): CheckChange => {
    const old = earlier.get(id)
    const now = later.get(id)
    const title = now?.title ?? old?.title ?? id
    return { id, title, before: old?.status ?? 'absent', after: now?.status ?? 'absent' }
  })
  const changed = all.filter((change) => change.before !== change.after)
  const direction = (change: CheckChange): number => badness(change.after) - badness(change.before)
  return {
    differences: differencesOf(aboutRun(before), aboutRun(after)),
    regressions: changed.filter((change) => direction(change) > 0),
    improvements: changed.filter((change) => direction(change) < 0),
    others: changed.filter((change) => direction(change) === 0),
    unchanged: all.length - changed.length,
  }
}

/** The comparison as text for people. */
export function renderDiff(diff: ReportDiff): string {
  return [
    ...warning(diff.differences),
    ...section('Worse', diff.regressions),
    ...section('Better', diff.improvements),
    ...section('Changed', diff.others),
    `${diff.regressions.length} worse, ${diff.improvements.length} better, ${diff.others.length} changed, ${diff.unchanged} as before`,
    '',
  ].join('\n')
}

type RunFacts = ReadonlyMap<string, string | number | boolean>

function aboutRun(report: ConformanceReport): RunFacts {
  const { protocol_version, base_url, runner, profile, complete, settings } = report
  const named = { base_url, protocol_version, runner: `${runner.name} ${runner.version}`, complete }
  return new Map<string, string | number | boolean>([
    ...Object.entries(named),
    ...(profile === undefined ? [] : [['profile', profile] as const]),
    ...Object.entries(settings).map(([name, value]) => [`settings.${name}`, value] as const),
  ])
}

function differencesOf(earlier: RunFacts, later: RunFacts): readonly RunDifference[] {
  const names = [...new Set([...earlier.keys(), ...later.keys()])]
  return names
    .map((name) => ({ name, before: earlier.get(name), after: later.get(name) }))
    .filter(({ before, after }) => before !== after)
}

function warning(differences: readonly RunDifference[]): readonly string[] {
  if (differences.length === 0) return []
  const lines = differences.map(
    ({ name, before, after }) => `  ${name}  ${before ?? 'absent'} -> ${after ?? 'absent'}`,
  )
  const heading = 'Warning: the runs were not alike; checks may differ because of that:'
  return [heading, ...lines.map((line) => visibleText(line, Infinity)), '']
}

/** A check that appears is judged by what it says; one that disappears leaves something unjudged. */
function badness(status: CheckChange['before']): number {
  switch (status) {
    case 'passed':
    case 'skipped':
      return 0
    case 'absent':
    case 'inconclusive':
      return 1
    case 'warning':
      return 2
    case 'failed':
      return 3
  }
}

function section(heading: string, changes: readonly CheckChange[]): readonly string[] {
  if (changes.length === 0) return []
  const lines = changes.map(({ id, title, before, after }) => `  ${id}  ${before} -> ${after}  ${title}`)
  return [heading, ...lines.map((line) => visibleText(line, Infinity)), '']
}
