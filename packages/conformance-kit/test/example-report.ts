import type { CheckResult, ConformanceReport } from '../src/index.js'

/** A check result that passed, with what differs. */
export function exampleCheck(differences: Partial<CheckResult> = {}): CheckResult {
  return {
    id: 'http.head',
    group: 'http',
    title: 'HEAD is answered as GET is',
    level: 'SHOULD',
    requirements: ['R-2'],
    status: 'passed',
    duration_ms: 12,
    requests: 1,
    findings: [],
    finding_count: 0,
    ...differences,
  }
}

/** A check result that failed with one finding that says this. */
export function failedCheck(message: string, differences: Partial<CheckResult> = {}): CheckResult {
  return exampleCheck({
    id: 'traversal.entity',
    group: 'traversal',
    title: 'Every entity is what its sitemap says',
    level: 'MUST',
    requirements: ['R-1'],
    status: 'failed',
    message,
    findings: [
      { level: 'error', requirement: 'R-1', message, url: 'https://site.test/a.json', pointer: '/checksum' },
    ],
    finding_count: 1,
    hint: 'Compute the checksum over the data that is sent.',
    ...differences,
  })
}

/** A report over these checks, with what differs. */
export function exampleReport(
  checks: readonly CheckResult[],
  differences: Partial<ConformanceReport> = {},
): ConformanceReport {
  const count = (status: CheckResult['status']): number =>
    checks.filter((check) => check.status === status).length
  return {
    report_version: '2',
    protocol: 'demo',
    protocol_version: '1.0',
    base_url: 'https://site.test',
    runner: { name: 'demo-conformance', version: '1.2.3' },
    started_at: '2026-03-01T08:00:00.123Z',
    finished_at: '2026-03-01T08:00:01.357Z',
    duration_ms: 1234,
    status: count('failed') > 0 ? 'failed' : 'passed',
    complete: true,
    fail_on_warning: false,
    profile: 'core',
    settings: { entities: 25, seed: 7 },
    requests: { count: 3, bytes: 4096 },
    summary: {
      total: checks.length,
      passed: count('passed'),
      failed: count('failed'),
      warnings: count('warning'),
      skipped: count('skipped'),
      inconclusive: count('inconclusive'),
    },
    checks,
    requirements: {
      'R-1': { level: 'MUST', text: 'The checksum of an entity equals the checksum of its data.' },
      'R-2': { level: 'SHOULD', text: 'HEAD is answered as GET is, without the body.' },
    },
    ...differences,
  }
}

/** One check of every status. */
export const EVERY_STATUS: readonly CheckResult[] = [
  exampleCheck(),
  failedCheck('The checksum is wrong.'),
  exampleCheck({
    id: 'http.methods',
    status: 'warning',
    message: 'Status 404, expected 405.',
    findings: [{ level: 'warning', requirement: 'R-2', message: 'Status 404, expected 405.' }],
    finding_count: 1,
    hint: 'Answer 405 with Allow.',
  }),
  exampleCheck({
    id: 'locale.selection',
    group: 'locale',
    status: 'skipped',
    message: 'There is one language.',
  }),
  exampleCheck({
    id: 'pagination.contract',
    group: 'pagination',
    status: 'inconclusive',
    message: 'The run has used up its 100 pages.',
  }),
]
