import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { projectRoot } from '@internal/vectors'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { describe, expect, it } from 'vitest'
import { EVERY_STATUS, exampleReport } from '../../test/example-report.js'
import { parseReport, renderJsonReport } from './json-report.js'

const schemaPath = join(projectRoot, 'schemas/conformance/v2/report.schema.json')
const ajv = new Ajv2020({ allErrors: true, allowUnionTypes: true })
addFormats.default(ajv)
const validate = ajv.compile(JSON.parse(readFileSync(schemaPath, 'utf8')) as object)

describe('renderJsonReport', () => {
  it('writes what the published schema describes', () => {
    const fatal = { code: 'unreachable', message: 'No answer.' } as const
    validate(JSON.parse(renderJsonReport(exampleReport(EVERY_STATUS, { fatal }))))
    expect(validate.errors).toBeNull()
  })

  it('is refused by the schema without its verdict', () => {
    const { status: _, ...rest } = exampleReport(EVERY_STATUS)
    expect(validate(rest)).toBe(false)
  })
})

describe('parseReport', () => {
  it('reads back what was written', () => {
    const report = exampleReport(EVERY_STATUS)
    expect(parseReport(renderJsonReport(report))).toEqual(report)
  })

  it.each([
    '',
    '[]',
    'null',
    '{}',
    '{"report_version":"1","checks":[]}',
    '{"report_version":"2","base_url":"x","checks":[1]}',
    '{"report_version":"2","base_url":"x","checks":[]}',
  ])('refuses %s', (text) => {
    expect(() => parseReport(text)).toThrow(expect.objectContaining({ code: 'invalid_report' }))
  })

  it.each([
    { status: 'fine' },
    { runner: {} },
    { requests: { count: -1, bytes: 0 } },
    { summary: [] },
    { requirements: { 'M-1': { level: 'WILL', text: '' } } },
    { fatal: { code: 'tired', message: '' } },
    { checks: [{ ...exampleReport(EVERY_STATUS).checks[0], status: 'fine' }] },
    { checks: [{ ...exampleReport(EVERY_STATUS).checks[0], findings: [null] }] },
  ])('refuses a report with %j, as the schema does', (change) => {
    const report = { ...exampleReport(EVERY_STATUS), ...change }
    expect(validate(report)).toBe(false)
    expect(() => parseReport(JSON.stringify(report))).toThrow(
      expect.objectContaining({ code: 'invalid_report' }),
    )
  })

  it('reads over a byte order mark', () => {
    const report = exampleReport(EVERY_STATUS)
    expect(parseReport(`\ufeff${renderJsonReport(report)}`)).toEqual(report)
  })
})
