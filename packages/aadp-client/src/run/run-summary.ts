import { isAadpClientError, type AadpDiscoveryBudgetExceededError, type BudgetLimit } from '../errors.js'
import type { Budget } from '../options/budget.js'
import type { IssueLog, ReadIssue } from './issue-log.js'
import type { Outcome } from '../pool/work-pool-options.js'

/** What a run did so far; final once the iteration has ended. */
export interface RunSummary {
  /** Whether everything that the site lists was read. */
  readonly complete: boolean
  /** Why it was not: documents were left out, a budget ended it, the consumer or its signal stopped it, or it still runs. */
  readonly partial?: 'errors' | 'budget' | 'stopped' | 'aborted' | 'failed' | 'running'
  /** The budget that ended it. */
  readonly limit?: BudgetLimit
  /** Entities that the index announces, where it gives numbers for all sitemaps that are read. A hint only. */
  readonly announced?: number
  /** Sitemap pages asked for. */
  readonly pages: number
  /** Entities fetched and found right. */
  readonly entities: number
  /** Requests of every kind. */
  readonly requests: number
  /** Decoded response bytes. */
  readonly bytes: number
  readonly durationMs: number
  readonly errors: number
  readonly warnings: number
  /** The first hundred errors and warnings. */
  readonly issues: readonly ReadIssue[]
}

export interface Progress {
  readonly budget: Budget
  readonly log: IssueLog
  readonly entities: number
  readonly announced: number | undefined
  readonly nowMs: number
}

/** `outcome` is missing while the run goes on. */
export function summarise(
  { budget, log, entities, announced, nowMs }: Progress,
  outcome: Outcome | undefined,
  aborted: boolean,
): RunSummary {
  const error = outcome?.kind === 'failed' ? outcome.error : undefined
  const partial = aborted ? 'aborted' : partialOf(outcome, log)
  return {
    complete: partial === undefined,
    ...(partial !== undefined && { partial }),
    ...(isBudgetError(error) && { limit: error.limit }),
    ...(announced !== undefined && { announced }),
    pages: budget.pagesFetched,
    entities,
    requests: budget.requestsMade,
    bytes: budget.bytesFetched,
    durationMs: nowMs - budget.startedAtMs,
    errors: log.errors,
    warnings: log.warnings,
    issues: [...log.issues],
  }
}

function partialOf(outcome: Outcome | undefined, { errors }: IssueLog): RunSummary['partial'] {
  switch (outcome?.kind) {
    case undefined:
      return 'running'
    case 'done':
      return errors > 0 ? 'errors' : undefined
    case 'stopped':
      return 'stopped'
    case 'failed':
      return isBudgetError(outcome.error) ? 'budget' : 'failed'
  }
}

export function isBudgetError(error: unknown): error is AadpDiscoveryBudgetExceededError {
  return isAadpClientError(error, 'budget_exceeded')
}
