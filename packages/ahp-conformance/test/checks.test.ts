import type { ConformanceReport } from '@doorplate/conformance-kit'
import { describe, expect, it } from 'vitest'
import { conformanceChecks, requirementOf } from '../src/index.js'
import { TWINS } from './broken-twins.js'
import { checkGoodSite } from './check-site.js'

/** Checks with findings that count, or that could not judge. */
function found(report: ConformanceReport): readonly string[] {
  return report.checks
    .filter(({ status }) => status === 'failed' || status === 'warning' || status === 'inconclusive')
    .map(({ id, status }) => `${id} ${status}`)
}

describe('the checks', () => {
  const checks = conformanceChecks({ rate: true })

  it('all pass on the good site, and none is skipped', async () => {
    const { report } = await checkGoodSite()
    const notPassed = report.checks.filter(({ status }) => status !== 'passed')
    expect(notPassed.map(({ id, status, message }) => `${id} ${status}: ${message ?? ''}`)).toEqual([])
    expect(report).toMatchObject({ status: 'passed', complete: true })
  })

  it('each have a broken twin', () => {
    expect(new Set(TWINS.map((twin) => twin.check))).toEqual(new Set(checks.map(({ id }) => id)))
  })

  it('cite rules that exist', () => {
    const cited = checks.flatMap(({ requirements }) => requirements)
    expect(cited.filter((id) => requirementOf(id) === undefined)).toEqual([])
  })

  it.each(TWINS)('$check finds that $what', async ({ check, status, fault }) => {
    const { report } = await checkGoodSite(fault)
    expect(found(report)).toEqual([`${check} ${status}`])
  })
})
