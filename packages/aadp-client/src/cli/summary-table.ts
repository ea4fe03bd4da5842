import type { RunSummary, SyncSummary } from '../index.js'
import { plainText } from './plain-text.js'

/** How a run ended, for people; with the first issues. */
export function summaryTable(summary: RunSummary | SyncSummary): string {
  const changes: Row[] =
    'created' in summary
      ? [
          ['created', count(summary.created)],
          ['updated', count(summary.updated)],
          ['deleted', count(summary.deleted)],
          ['unchanged', count(summary.unchanged)],
        ]
      : [['entities', count(summary.entities)]]
  const rows: Row[] = [
    ['result', resultOf(summary)],
    ...changes,
    ['requests', count(summary.requests)],
    ['received', bytes(summary.bytes)],
    ['time', `${(summary.durationMs / 1_000).toFixed(1)} s`],
    ['errors', count(summary.errors)],
    ['warnings', count(summary.warnings)],
  ]
  const issues = summary.issues
    .slice(0, 10)
    .map(({ level, code, message }) => `${level} ${code}: ${plainText(message)}`)
  const more = summary.errors + summary.warnings - issues.length
  if (more > 0) issues.push(`and ${more} more`)
  return [...rows.map(([label, text]) => `${label.padEnd(9)}  ${text}`), ...issues, ''].join('\n')
}

type Row = readonly [label: string, text: string]

function resultOf({ complete, partial, limit }: RunSummary): string {
  if (complete) return 'complete'
  return `incomplete: ${partial ?? ''}${limit === undefined ? '' : ` (${limit})`}`
}

function count(value: number): string {
  return value.toLocaleString('en')
}

export function bytes(value: number): string {
  if (value >= 1_048_576) return `${(value / 1_048_576).toFixed(1)} MiB`
  return value >= 1_024 ? `${(value / 1_024).toFixed(1)} KiB` : `${value} B`
}
