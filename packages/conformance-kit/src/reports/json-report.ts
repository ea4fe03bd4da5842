import { ConformanceError } from '../errors.js'
import { REPORT_VERSION, type ConformanceReport } from '../report.js'
import { visibleJson } from '../visible-text.js'
import { isReport } from './report-shape.js'

/** The report as JSON text, as `schemas/v2/report.schema.json` describes it. */
export function renderJsonReport(report: ConformanceReport): string {
  return visibleJson(report)
}

/**
 * Reads a JSON report back. Members are checked as far as the comparison and the renderers rely on them.
 *
 * @throws {ConformanceError} `invalid_report`
 */
export function parseReport(text: string): ConformanceReport {
  const report = parseJson(text)
  if (isReport(report)) return report as ConformanceReport
  throw new ConformanceError('invalid_report', `The text is not a whole report of version ${REPORT_VERSION}.`)
}

/** An editor may have put a byte order mark before the text. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\ufeff/, ''))
  } catch (cause) {
    throw new ConformanceError('invalid_report', 'The report is not JSON.', { cause })
  }
}
