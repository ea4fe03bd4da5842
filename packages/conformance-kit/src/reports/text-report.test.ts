import { describe, expect, it } from 'vitest'
import { EVERY_STATUS, exampleCheck, exampleReport, failedCheck } from '../../test/example-report.js'
import { renderTextReport, renderTextSummary } from './text-report.js'

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
    expect(text).toContain(' passed (1 note), ')
    expect(text).toContain('  NOTE  traversal.entity')
    expect(text).toContain('    - missing: no catalogue')
    expect(text).toContain('    Fix: ')
    expect(text).toContain('1 check: 1 passed')
  })

  it('names one cause and counts what was not run because of it', () => {
    const fatal = { code: 'unreachable', message: 'No response.' } as const
    const skipped = ['b', 'c'].map((id) => exampleCheck({ id, status: 'skipped', message: 'No response.' }))
    const failed = failedCheck('No response.')
    const text = renderTextReport(exampleReport([failed, ...skipped], { fatal }))
    expect(text).not.toContain('SKIP')
    expect(text).toContain('\nunreachable: No response.\n2 checks could not be run because of that.\n')
    expect(renderTextReport(exampleReport([failed], { fatal }))).toContain('No response.\nRESULT')
    expect(text).toContain('RESULT: NOT PERFORMED')
    const one = exampleReport([failed, ...skipped.slice(1)], { fatal })
    expect(renderTextReport(one)).toContain('1 check could not be run')
  })

  it('names advice that a binding requirement stands behind', () => {
    const failed = failedCheck('It is asked once.')
    const findings = failed.findings.map((finding) => ({ ...finding, level: 'warning' as const }))
    const text = renderTextReport(exampleReport([{ ...failed, status: 'warning', findings }]))
    expect(text).toContain('    - advice: It is asked once.\n')
    expect(renderTextReport(exampleReport([failed]))).not.toContain('advice')
  })

  it('says how long the site had the run wait', () => {
    expect(renderTextSummary(exampleReport([]), { waitedMs: 60_400 })).toContain(
      " 1234 ms, of these 60 s waiting for the site's limit\n",
    )
  })

  it('counts one thing in the singular', () => {
    const [, , warned = exampleCheck()] = EVERY_STATUS
    const text = renderTextReport(exampleReport([warned], { requests: { count: 1, bytes: 1 } }))
    expect(text).toContain('1 check: 0 passed, 0 failed, 1 warning, 0 skipped, 0 inconclusive')
    expect(text).toContain('1 request, 1 byte, 1234 ms')
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
