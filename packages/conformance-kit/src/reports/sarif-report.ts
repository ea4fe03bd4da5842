import { createHash } from 'node:crypto'
import type { Log, ReportingDescriptor, Result, Run } from 'sarif'
import { exitCodeFor } from '../exit-code.js'
import type { CheckResult, ConformanceReport, ReportedFinding } from '../report.js'
import { visibleText } from '../visible-text.js'

/** Options of `renderSarifReport`. */
export interface SarifReportOptions {
  /**
   * Path of a file of your repository, relative to its root, to which code scanning attaches every result, such as the
   * configuration of the site. Default: the URL at which a finding was made.
   */
  readonly artifactUri?: string
  /** Where the documentation of the runner is. Default: left out. */
  readonly informationUri?: string
}

/** The report as a SARIF 2.1.0 log: each check is a rule, each finding and each check left open a result. */
export function renderSarifReport(report: ConformanceReport, options: SarifReportOptions = {}): string {
  const { runner, checks } = report
  const run: Run = {
    tool: {
      driver: {
        name: runner.name,
        version: runner.version,
        ...(options.informationUri !== undefined && { informationUri: options.informationUri }),
        rules: checks.map((check) => toRule(check)),
      },
    },
    invocations: [
      {
        executionSuccessful: report.fatal === undefined && report.status !== 'inconclusive',
        startTimeUtc: report.started_at,
        endTimeUtc: report.finished_at,
        exitCode: exitCodeFor(report),
        ...(report.fatal && {
          toolExecutionNotifications: [
            {
              level: 'error',
              descriptor: { id: report.fatal.code },
              message: { text: report.fatal.message },
            },
          ],
        }),
      },
    ],
    automationDetails: { id: `${runner.name}/${report.base_url}/` },
    columnKind: 'utf16CodeUnits',
    results: checks.flatMap((check, ruleIndex) => toResults(check, ruleIndex, report, options)),
  }
  const log: Log = {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [run],
  }
  return `${JSON.stringify(log, null, 2)}\n`
}

function toRule(check: CheckResult): ReportingDescriptor {
  return {
    id: check.id,
    shortDescription: { text: check.title },
    help: { text: check.hint ?? check.title },
    defaultConfiguration: {
      level: check.level === 'MUST' ? 'error' : check.level === 'SHOULD' ? 'warning' : 'note',
    },
    properties: { tags: [check.group, ...check.requirements] },
  }
}

function toResults(
  check: CheckResult,
  ruleIndex: number,
  report: ConformanceReport,
  options: SarifReportOptions,
): readonly Result[] {
  const found = check.findings.map((finding) => toResult(finding, check, ruleIndex, report, options))
  if (check.status !== 'inconclusive') return found
  const open: Result = {
    ruleId: check.id,
    ruleIndex,
    kind: 'open',
    level: 'none',
    message: { text: check.message ?? check.title },
    locations: [{ physicalLocation: { artifactLocation: { uri: options.artifactUri ?? report.base_url } } }],
    partialFingerprints: { 'finding/v1': fingerprint([check.id, 'open']) },
  }
  return [...found, open]
}

function toResult(
  finding: ReportedFinding,
  check: CheckResult,
  ruleIndex: number,
  report: ConformanceReport,
  { artifactUri }: SarifReportOptions,
): Result {
  const { url = report.base_url, pointer, requirement } = finding
  const at = `${url}${pointer ? `#${pointer}` : ''}`
  return {
    ruleId: check.id,
    ruleIndex,
    kind: 'fail',
    level: finding.level,
    message: { text: `${finding.message} (${requirement}, at ${at})` },
    locations: [
      {
        physicalLocation: { artifactLocation: { uri: artifactUri ?? toUri(url) }, region: { startLine: 1 } },
        logicalLocations: [{ fullyQualifiedName: at, kind: 'resource' }],
      },
    ],
    partialFingerprints: { 'finding/v1': fingerprint([check.id, requirement, url, pointer ?? '']) },
    properties: { requirement, ...(finding.reproduce !== undefined && { reproduce: finding.reproduce }) },
  }
}

/** What is wrong and where, but not how it was said: a fingerprint outlives changes of a message. */
function fingerprint(parts: readonly string[]): string {
  return createHash('sha256').update(parts.join('\n')).digest('hex')
}

/** URLs in a report may quote a site; SARIF asks for a valid URI. */
function toUri(url: string): string {
  return URL.canParse(url) ? new URL(url).href : encodeURI(visibleText(url, Infinity))
}
