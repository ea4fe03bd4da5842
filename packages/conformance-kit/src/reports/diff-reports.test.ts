import { describe, expect, it } from 'vitest'
import { exampleCheck, exampleReport } from '../../test/example-report.js'
import type { CheckStatus, ConformanceReport } from '../report.js'
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
      differences: [],
      regressions: [],
      improvements: [],
      others: [],
      unchanged: 2,
    })
    expect(renderDiff(diffReports(report, report))).toBe('0 worse, 0 better, 0 changed, 2 as before\n')
  })

  it.each<readonly [string, Partial<ConformanceReport>, string]>([
    ['another site', { base_url: 'https://b.test' }, 'base_url  https://site.test -> https://b.test'],
    ['another version', { protocol_version: '0.1' }, 'protocol_version  1.0 -> 0.1'],
    ['another profile', { profile: 'full' }, 'profile  core -> full'],
    [
      'another runner',
      { runner: { name: 'other', version: '2' } },
      'runner  demo-conformance 1.2.3 -> other 2',
    ],
    ['a part of the checks', { complete: false }, 'complete  true -> false'],
    ['another sample', { settings: { entities: 25, seed: 8 } }, 'settings.seed  7 -> 8'],
    ['another limit', { settings: { entities: 25 } }, 'settings.seed  7 -> absent'],
    ['a hostile name', { base_url: '\u001b[2J' }, 'base_url  https://site.test -> \\u001b[2J'],
  ])('warns of %s', (_, differences, line) => {
    const diff = diffReports(exampleReport([]), exampleReport([], differences))
    expect(renderDiff(diff)).toContain(
      `Warning: the runs were not alike; checks may differ because of that:\n  ${line}\n`,
    )
    expect(diff.differences).toHaveLength(1)
  })

  it('refuses reports about different protocols', () => {
    const compare = (): unknown => diffReports(exampleReport([]), exampleReport([], { protocol: 'other' }))
    expect(compare).toThrow(expect.objectContaining({ code: 'incomparable_reports' }))
    expect(compare).toThrow('The reports are about demo and other.')
  })
})
