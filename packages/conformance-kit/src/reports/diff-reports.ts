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

export interface ReportDiff {
  /** Checks that are worse than before: newly failed, newly warned about, no longer conclusive, or gone. */
  readonly regressions: readonly CheckChange[]
  readonly improvements: readonly CheckChange[]
  /** Neither better nor worse, such as a check that no longer applies. */
  readonly others: readonly CheckChange[]
  readonly unchanged: number
}

/** Compares two reports check by check. */
export function diffReports(before: ConformanceReport, after: ConformanceReport): ReportDiff {
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
    regressions: changed.filter((change) => direction(change) > 0),
    improvements: changed.filter((change) => direction(change) < 0),
    others: changed.filter((change) => direction(change) === 0),
    unchanged: all.length - changed.length,
  }
}

/** The comparison as text for people. */
export function renderDiff(diff: ReportDiff): string {
  return [
    ...section('Worse', diff.regressions),
    ...section('Better', diff.improvements),
    ...section('Changed', diff.others),
    `${diff.regressions.length} worse, ${diff.improvements.length} better, ${diff.others.length} changed, ${diff.unchanged} as before`,
    '',
  ].join('\n')
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
