import type { ConformanceReport } from '@doorplate/conformance-kit'
import { describe, expect, it } from 'vitest'
import { conformanceChecks, requirementOf } from '../src/index.js'
import { TWINS } from './broken-twins.js'
import { checkGoodSite } from './check-site.js'
import { isSeen, rulesOfSites } from './draft-rules.js'
import type { Twin } from './twins/twin.js'

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

  const judged = new Map<Twin, ReadonlySet<string>>()

  it.each(TWINS)('$check finds that $what', async (twin) => {
    const { check, status, fault, breaks = [] } = twin
    const { report } = await checkGoodSite(fault)
    expect(found(report)).toEqual([`${check} ${status}`])
    const { requirements: cited = [] } = checks.find(({ id }) => id === check) ?? {}
    expect(cited).toEqual(expect.arrayContaining(breaks.map((number) => `AHP01-${number}`)))
    const named = report.checks.flatMap(({ findings }) => findings.map(({ requirement }) => requirement))
    judged.set(twin, new Set([...named, ...breaks.map((number) => `AHP01-${number}`)]))
  })

  it('find the breach of every rule of the draft for sites that can be seen and must or should be kept', ({
    skip,
  }) => {
    if (judged.size < TWINS.length) skip('Only some twins were judged.')
    const broken = new Set([...judged.values()].flatMap((rules) => [...rules]))
    const binding = rulesOfSites().filter(({ id, level }) => level !== 'MAY' && isSeen(id))
    expect(binding.length).toBeGreaterThan(80)
    expect(binding.filter(({ id }) => !broken.has(id)).map(({ id, text }) => `${id}: ${text}`)).toEqual([])
  })
})
