import type { RequirementLevel } from './check.js'

/** Version of the report format described by `schemas/v2/report.schema.json`. */
export const REPORT_VERSION = '2'

/** How a check can come out. */
export type CheckStatus = 'passed' | 'failed' | 'warning' | 'skipped' | 'inconclusive'

/** The verdict of a run. */
export type RunStatus = 'passed' | 'failed' | 'inconclusive'

/**
 * Why a run came to no judgement of the site.
 *
 * - `unreachable`: the first document could not be read at all.
 * - `unsupported_version`: the site speaks another version of the protocol.
 * - `internal_error`: a check itself is broken.
 */
export type FatalCode = 'unreachable' | 'unsupported_version' | 'internal_error'

/** A finding as reported: its level derived from the requirement, its text bounded and printable. */
export interface ReportedFinding {
  readonly level: 'error' | 'warning' | 'note'
  readonly requirement: string
  readonly message: string
  readonly url?: string
  readonly pointer?: string
  /** A command that asks for it again, for a POSIX shell; absent where a GET of `url` does. Secrets are left out. */
  readonly reproduce?: string
}

/** How a check came out. */
export interface CheckResult {
  readonly id: string
  readonly group: string
  readonly title: string
  readonly level: RequirementLevel
  readonly requirements: readonly string[]
  readonly status: CheckStatus
  readonly duration_ms: number
  /** Requests that were made while this check ran. Checks share what was read, so the first one to need it pays. */
  readonly requests: number
  /** The first finding, or why the check was skipped or stayed inconclusive, or what it saw. */
  readonly message?: string
  /** At most 20; `finding_count` says how many there were. */
  readonly findings: readonly ReportedFinding[]
  readonly finding_count: number
  /** How to put it right; with findings only. */
  readonly hint?: string
}

/** How many checks came out how. */
export interface ReportSummary {
  readonly total: number
  readonly passed: number
  readonly failed: number
  readonly warnings: number
  readonly skipped: number
  readonly inconclusive: number
}

/** The result of one run: the very document that is written as JSON. */
export interface ConformanceReport {
  readonly report_version: typeof REPORT_VERSION
  /** Lower-case name of the protocol, e.g. `aadp`. */
  readonly protocol: string
  readonly protocol_version: string
  readonly base_url: string
  readonly runner: { readonly name: string; readonly version: string }
  /** RFC 3339, UTC. */
  readonly started_at: string
  readonly finished_at: string
  readonly duration_ms: number
  readonly status: RunStatus
  /** True when every check of the suite had its turn. Only a complete run that passed certifies anything. */
  readonly complete: boolean
  readonly fail_on_warning: boolean
  readonly profile?: string
  /** What the run was allowed and told to do. */
  readonly settings: Readonly<Record<string, string | number | boolean>>
  readonly requests: { readonly count: number; readonly bytes: number }
  readonly summary: ReportSummary
  readonly fatal?: { readonly code: FatalCode; readonly message: string }
  readonly checks: readonly CheckResult[]
  /** Level and text of every requirement that a finding cites. */
  readonly requirements: Readonly<Record<string, { readonly level: RequirementLevel; readonly text: string }>>
}
