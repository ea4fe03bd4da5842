import { ConformanceError } from '../errors.js'
import { REPORT_VERSION, type ConformanceReport } from '../report.js'

/** The report as JSON text, as `schemas/v2/report.schema.json` describes it. */
export function renderJsonReport(report: ConformanceReport): string {
  return `${JSON.stringify(report, null, 2)}\n`
}

/**
 * Reads a JSON report back. Only what the comparison and the renderers rely on is checked.
 *
 * @throws {ConformanceError} `invalid_report`
 */
export function parseReport(text: string): ConformanceReport {
  const report = parseJson(text)
  if (!isObject(report) || report['report_version'] !== REPORT_VERSION) {
    throw invalidReport(`The text is not a report of version ${REPORT_VERSION}.`)
  }
  const checks = report['checks']
  const isWhole =
    Array.isArray(checks) && checks.every(isCheckResult) && typeof report['base_url'] === 'string'
  if (!isWhole) throw invalidReport('The report has no list of check results.')
  return report as unknown as ConformanceReport
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new ConformanceError('invalid_report', 'The report is not JSON.', { cause })
  }
}

function isCheckResult(value: unknown): boolean {
  return (
    isObject(value) &&
    ['id', 'title', 'status'].every((member) => typeof value[member] === 'string') &&
    Array.isArray(value['findings'])
  )
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function invalidReport(message: string): ConformanceError {
  return new ConformanceError('invalid_report', message)
}
