import { describe, expect, it } from 'vitest'
import { exampleCheck, exampleReport } from '../../test/example-report.js'
import type { CheckStatus } from '../report.js'
import { diffReports, renderDiff } from './diff-reports.js'

function reportOf(statuses: Readonly<Record<string, CheckStatus>>): ReturnType<typeof exampleReport> {
  return exampleReport(Object.entries(statuses).map(([id, status]) => exampleCheck({ id, status })))
}

describe('diffReports', () => {
  const diff = diffReports(
    reportOf({ a: 'passed', b: 'failed', c: 'passed', d: 'skipped', e: 'passed', gone: 'passed' }),
    reportOf({ a: 'failed', b: 'warning', c: 'inconclusive', d: 'passed', e: 'passed', added: 'failed' }),
  )

  it('tells what became worse, what became better and what merely changed', () => {
    expect(diff.regressions.map((change) => change.id)).toEqual(['a', 'c', 'added', 'gone'])
    expect(diff.improvements.map((change) => change.id)).toEqual(['b'])
    expect(diff.others.map((change) => change.id)).toEqual(['d'])
    expect(diff.unchanged).toBe(1)
  })

  it('is told in words', () => {
    expect(renderDiff(diff)).toContain('  a  passed -> failed  HEAD is answered as GET is')
    expect(renderDiff(diff)).toContain('4 worse, 1 better, 1 changed, 1 as before')
  })

  it('finds nothing between a report and itself', () => {
    const report = reportOf({ a: 'passed', b: 'failed' })
    expect(diffReports(report, report)).toEqual({
      regressions: [],
      improvements: [],
      others: [],
      unchanged: 2,
    })
  })
})
