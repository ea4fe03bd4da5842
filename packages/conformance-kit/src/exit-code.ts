import type { ConformanceReport } from './report.js'

/** Exit codes of conformance runners; they never change. */
export const EXIT_CODES: {
  /** Every check passed; warnings do not count unless they were asked to. */
  readonly passed: 0
  /** A check failed. */
  readonly failed: 1
  /** The run was not performed: a bad argument or option, an unreachable site, a report that could not be written. */
  readonly notPerformed: 2
  /** The runner cannot judge this site: it speaks another protocol version, or the runner itself broke. */
  readonly cannotJudge: 3
  /** The run was cut short, or saw too little to certify anything. */
  readonly inconclusive: 4
} = Object.freeze({ passed: 0, failed: 1, notPerformed: 2, cannotJudge: 3, inconclusive: 4 })

/** The exit code for a report. */
export function exitCodeFor(report: Pick<ConformanceReport, 'status' | 'fatal'>): number {
  switch (report.fatal?.code) {
    case 'unreachable':
      return EXIT_CODES.notPerformed
    case 'unsupported_version':
    case 'internal_error':
      return EXIT_CODES.cannotJudge
    case undefined:
      return EXIT_CODES[report.status]
  }
}
