/**
 * Prints `<passed> <failed>` for a report of vitest's JSON reporter. Usage: `node scripts/count-tests.js <report> <exit code>`.
 * A file that did not load counts as one failure, and so does a run that failed without naming a test.
 */
import { readFileSync } from 'node:fs'
import process from 'node:process'
import { pathToFileURL } from 'node:url'

/**
 * @typedef {{ numPassedTests: number, numFailedTests: number, testResults: { status: string, assertionResults: unknown[] }[] }} Report
 * @param {Report | undefined} report undefined when the run wrote none
 * @param {number} exitCode of the run
 */
export function countTests(report, exitCode) {
  if (report === undefined) return { passed: 0, failed: 1 }
  const unloaded = report.testResults.filter(
    ({ status, assertionResults }) => status === 'failed' && assertionResults.length === 0,
  ).length
  const failed = report.numFailedTests + unloaded
  return { passed: report.numPassedTests, failed: failed === 0 && exitCode !== 0 ? 1 : failed }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const [, , file = '', exitCode = '1'] = process.argv
  const { passed, failed } = countTests(readReport(file), Number(exitCode))
  console.log(`${passed} ${failed}`)
}

/** @param {string} file @returns {Report | undefined} */
function readReport(file) {
  try {
    return /** @type {Report} */ (JSON.parse(readFileSync(file, 'utf8')))
  } catch {
    return undefined
  }
}
