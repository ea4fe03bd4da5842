import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { Ajv } from 'ajv'
import addFormats from 'ajv-formats'
import type { Log } from 'sarif'
import { describe, expect, it } from 'vitest'
import { EVERY_STATUS, exampleReport, failedCheck } from '../../test/example-report.js'
import { renderSarifReport } from './sarif-report.js'

const require = createRequire(import.meta.url)

/** The published schema of SARIF 2.1.0, as its makers ship it. */
const schemaPath = join(dirname(require.resolve('@microsoft/jest-sarif')), 'schemas/sarif-2.1.0-rtm.5.json')
const schema = JSON.parse(readFileSync(schemaPath, 'utf8')) as Record<string, unknown>
// Draft 4, of which ajv 8 objects to no more than these two members.
delete schema['$schema']
delete schema['id']
const ajv = new Ajv({ strict: false, allErrors: true, unicodeRegExp: false })
addFormats.default(ajv)
const validate = ajv.compile(schema)

function parsed(text: string): Log {
  const log = JSON.parse(text) as Log
  validate(log)
  expect(validate.errors).toBeNull()
  return log
}

describe('renderSarifReport', () => {
  it('gives a valid log with a rule for each check and a result for each finding', () => {
    const [run] = parsed(renderSarifReport(exampleReport(EVERY_STATUS))).runs
    expect(run?.tool.driver.rules?.map((rule) => rule.id)).toEqual(EVERY_STATUS.map((check) => check.id))
    expect(run?.results?.map(({ ruleId, kind, level }) => [ruleId, kind, level])).toEqual([
      ['traversal.entity', 'fail', 'error'],
      ['http.methods', 'fail', 'warning'],
      ['pagination.contract', 'open', 'none'],
    ])
    expect(run?.invocations?.[0]).toMatchObject({ executionSuccessful: true, exitCode: 1 })
  })

  it('places a finding at its URL, or at a file of the repository', () => {
    const report = exampleReport([failedCheck('wrong')])
    const uriOf = (log: Log): string | undefined =>
      log.runs[0]?.results?.[0]?.locations?.[0]?.physicalLocation?.artifactLocation?.uri
    expect(uriOf(parsed(renderSarifReport(report)))).toBe('https://site.test/a.json')
    expect(uriOf(parsed(renderSarifReport(report, { artifactUri: 'site.config.ts' })))).toBe('site.config.ts')
  })

  it('keeps the fingerprint when only the words change', () => {
    const fingerprint = (message: string): unknown =>
      parsed(renderSarifReport(exampleReport([failedCheck(message)]))).runs[0]?.results?.[0]
        ?.partialFingerprints
    expect(fingerprint('one')).toEqual(fingerprint('two'))
  })

  it('stays valid when a site wrote an impossible URL', () => {
    const check = failedCheck('x')
    const findings = check.findings.map((finding) => ({ ...finding, url: 'http://[bad] \u0001/%' }))
    parsed(renderSarifReport(exampleReport([{ ...check, findings }])))
  })

  it('says that a run which was not performed did not succeed', () => {
    const fatal = { code: 'unreachable', message: 'No answer.' } as const
    const [run] = parsed(renderSarifReport(exampleReport([failedCheck('x')], { fatal }))).runs
    expect(run?.invocations?.[0]).toMatchObject({ executionSuccessful: false, exitCode: 2 })
  })
})
