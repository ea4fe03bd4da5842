import { writeFile } from 'node:fs/promises'
import type { ConformanceReport } from '../report.js'
import { renderJsonReport } from '../reports/json-report.js'
import { renderJUnitReport } from '../reports/junit-report.js'
import { renderMarkdownReport } from '../reports/markdown-report.js'
import { renderSarifReport } from '../reports/sarif-report.js'
import type { LoggedRequest } from '../request-log.js'
import { visibleText } from '../visible-text.js'
import type { CommandLine } from './command-line.js'

/** Writes every report that the command line asks for; resolves with what went wrong, one line for each file. */
export async function writeReports(
  report: ConformanceReport,
  requests: readonly LoggedRequest[],
  line: CommandLine,
  informationUri: string,
): Promise<readonly string[]> {
  const artifactUri = line.text('sarif-artifact')
  const renderers: readonly (readonly [string, () => string])[] = [
    ['output', () => renderJsonReport(report)],
    ['junit', () => renderJUnitReport(report)],
    [
      'sarif',
      () => renderSarifReport(report, { informationUri, ...(artifactUri !== undefined && { artifactUri }) }),
    ],
    ['markdown', () => renderMarkdownReport(report)],
    ['request-log', () => requests.map((request) => `${JSON.stringify(request)}\n`).join('')],
  ]
  const failures = await Promise.all(
    renderers.map(async ([option, render]) => {
      const path = line.text(option)
      return path === undefined ? [] : await write(option, path, render())
    }),
  )
  return failures.flat()
}

async function write(option: string, path: string, text: string): Promise<readonly string[]> {
  try {
    await writeFile(path, text)
    return []
  } catch (error) {
    const reason = error instanceof Error && 'code' in error ? String(error.code) : 'unknown reason'
    return [`--${option}: cannot write ${visibleText(path)} (${reason})`]
  }
}
