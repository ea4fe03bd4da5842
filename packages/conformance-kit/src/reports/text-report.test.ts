import { describe, expect, it } from 'vitest'
import { EVERY_STATUS, exampleCheck, exampleReport, failedCheck } from '../../test/example-report.js'
import { renderTextReport } from './text-report.js'

describe('renderTextReport', () => {
  it('says for each failure what was seen, where, which rule it breaks and how to fix it', () => {
    expect(renderTextReport(exampleReport([exampleCheck(), failedCheck('The checksum is wrong.')]))).toBe(
      `demo-conformance 1.2.3: https://site.test (DEMO 1.0)

http
  PASS  http.head  HEAD is answered as GET is (12ms)

traversal
  FAIL  traversal.entity  Every entity is what its sitemap says (12ms)
    - The checksum is wrong.
      at https://site.test/a.json#/checksum
    R-1 MUST: The checksum of an entity equals the checksum of its data.
    Fix: Compute the checksum over the data that is sent.

2 checks: 1 passed, 1 failed, 0 warnings, 0 skipped, 0 inconclusive
3 requests, 4096 bytes, 1234 ms
settings: profile core, entities 25, seed 7
RESULT: FAILED
`,
    )
  })

  it('says what a passed check has noted: what MAY be there and is missing', () => {
    const failed = failedCheck('missing: no catalogue')
    const findings = failed.findings.map((finding) => ({ ...finding, level: 'note' as const }))
    const text = renderTextReport(exampleReport([{ ...failed, status: 'passed', findings }]))
    expect(text).toContain('  NOTE  traversal.entity')
    expect(text).toContain('    - missing: no catalogue')
    expect(text).toContain('    Fix: ')
    expect(text).toContain('1 checks: 1 passed')
  })

  it('uses colours only when asked to', () => {
    const report = exampleReport(EVERY_STATUS)
    expect(renderTextReport(report)).not.toContain('\u001b')
    expect(renderTextReport(report, { color: true })).toContain('\u001b[31mFAIL')
  })

  it('leaves out what passed when quiet', () => {
    const text = renderTextReport(exampleReport(EVERY_STATUS), { quiet: true })
    expect(text).not.toContain('PASS ')
    expect(text).toContain('FAIL  traversal.entity')
  })

  it('says that an incomplete run certifies nothing', () => {
    expect(renderTextReport(exampleReport([exampleCheck()], { complete: false }))).toContain(
      'certifies nothing',
    )
    expect(renderTextReport(exampleReport(EVERY_STATUS))).toContain('certifies nothing')
    expect(renderTextReport(exampleReport([exampleCheck()]))).not.toContain('certifies nothing')
  })

  it('prints no control characters from a report that somebody else wrote', () => {
    const text = renderTextReport(exampleReport([failedCheck('\u001b[2J\u202egnp.exe\u0007')]))
    expect(text).toContain('- \\u001b[2J\\u202egnp.exe\\u0007')
    const named = { name: 'a\u001b[2J', version: '\u0007' }
    const titled = exampleCheck({ group: 'g\u001b', title: 't\u001b' })
    expect(renderTextReport(exampleReport([titled], { runner: named }))).not.toMatch(/[^\n\P{Cc}]/u)
  })
})
