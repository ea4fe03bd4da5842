import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describeWithCorpora } from '@internal/vectors'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { validateXML } from 'xmllint-wasm'
import { EVERY_STATUS, exampleCheck, exampleReport, failedCheck } from '../../test/example-report.js'
import { renderJUnitReport } from './junit-report.js'

const WELL_FORMED = { normalization: 'c14n' } as const

async function canonical(xml: string): Promise<string> {
  const result = await validateXML({ xml, ...WELL_FORMED })
  expect(result.errors).toEqual([])
  return result.normalized
}

describe('renderJUnitReport', () => {
  it('counts failures, errors and skipped cases; a warning is none of them', () => {
    const xml = renderJUnitReport(exampleReport(EVERY_STATUS))
    expect(xml).toContain('tests="5" failures="1" errors="1" skipped="1" time="1.234"')
    expect(xml).toContain('timestamp="2026-03-01T08:00:00"')
    expect(xml).toContain('<system-out>warning: http.methods')
  })

  it('makes a warning a failure where warnings fail', () => {
    const xml = renderJUnitReport(exampleReport(EVERY_STATUS, { fail_on_warning: true }))
    expect(xml).toContain('failures="2"')
    expect(xml).toContain('type="warning"')
  })

  it('gives the end of a run a case of its own, when no failed check tells of it', () => {
    const fatal = { code: 'internal_error', message: 'Check http.head broke.' } as const
    const xml = renderJUnitReport(exampleReport([exampleCheck()], { fatal }))
    expect(xml).toContain('name="run"')
    expect(xml).toContain('errors="1"')
    expect(renderJUnitReport(exampleReport([failedCheck('x')], { fatal }))).not.toContain('name="run"')
  })

  it('CF-01: characters that XML cannot hold become visible', async () => {
    const hostile = '\u0000\u0001\u0008\u000b\u001b\u001f\ufffe\uffff\ud800'
    const xml = await canonical(renderJUnitReport(exampleReport([failedCheck(`a${hostile}z`)])))
    expect(xml).toContain('a\\u0000\\u0001\\u0008\\u000b\\u001b\\u001f\\ufffe\\uffff\\ud800z')
  })

  it('CF-02: an escape sequence and the end of a CDATA section are ordinary text', async () => {
    const xml = await canonical(renderJUnitReport(exampleReport([failedCheck('\u001b[31m]]>x')])))
    expect(xml).toContain('\\u001b[31m]]&gt;x')
  })

  it('CF-03: attributes survive a parser, white space included', async () => {
    const name = 'a"b<c>&\n\t\u00e9'
    const written = renderJUnitReport(exampleReport([exampleCheck({ title: name })]))
    expect(written).toContain('a&quot;b&lt;c&gt;&amp;&#10;&#9;\u00e9')
    expect(await canonical(written)).toContain('a&quot;b&lt;c>&amp;&#xA;&#x9;\u00e9')
  })

  it('is well-formed whatever a message holds', async () => {
    const reports = fc.sample(fc.string({ unit: 'binary', maxLength: 300 }), { numRuns: 30, seed: 5 })
    const lone = fc.sample(fc.array(fc.integer({ min: 0, max: 0xffff })), { numRuns: 30, seed: 5 })
    const messages = [...reports, ...lone.map((units) => String.fromCharCode(...units))]
    await canonical(renderJUnitReport(exampleReport(messages.map((message) => failedCheck(message)))))
  })
})

describeWithCorpora('the JUnit schemas', 'junit', (directory) => {
  it.each(['JUnit.xsd', 'jenkins-junit-10.xsd'])('%s accepts the report', async (file) => {
    const schema = readFileSync(join(directory, file), 'utf8')
    const many = exampleReport(EVERY_STATUS, { duration_ms: 1_234_567 })
    const fatal = { code: 'internal_error', message: 'broke' } as const
    const reports = [many, { ...many, fail_on_warning: true }, exampleReport([], { fatal })]
    for (const report of reports) {
      const result = await validateXML({ xml: renderJUnitReport(report), schema })
      expect(result.errors).toEqual([])
    }
  })

  it('JUnit.xsd refuses a report without its system-err', async () => {
    const schema = readFileSync(join(directory, 'JUnit.xsd'), 'utf8')
    const xml = renderJUnitReport(exampleReport(EVERY_STATUS)).replace('<system-err></system-err>', '')
    expect((await validateXML({ xml, schema })).valid).toBe(false)
  })
})
