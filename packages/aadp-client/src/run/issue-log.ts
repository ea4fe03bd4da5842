import {
  isAadpClientError,
  AadpSchemaValidationError,
  InvalidOptionError,
  type AadpClientError,
  type AadpClientErrorCode,
} from '../errors.js'
import type { DocumentKind } from '../documents/wire.js'

/** Findings that are no failure: documents that do not agree, or options that name what the site does not have. */
export type WarningCode =
  | 'duplicate_sitemap'
  | 'duplicate_item'
  | 'conflicting_item'
  | 'count_mismatch'
  | 'unknown_type'
  | 'unknown_scheme'

/** Something wrong with one document of a run. */
export interface ReadIssue {
  /** After an error the document is left out; a warning leaves nothing out but repetitions. */
  readonly level: 'error' | 'warning'
  readonly code: AadpClientErrorCode | WarningCode
  readonly message: string
  readonly document: DocumentKind
  readonly url: string
  /** The id of the entity concerned. */
  readonly id?: string
  /** The rule of the specification that is broken, where one is known. */
  readonly rule?: string
  /** The HTTP status, where that is what is wrong. */
  readonly status?: number
  readonly cause?: AadpClientError
}

/**
 * What an unusable document does: end the run with its error, or be left out. A function is told of warnings too and decides
 * for each error; it ends the run by returning `'throw'` (or by throwing). It answers at once: a promise is refused with
 * `invalid_option`, which ends the run as well.
 */
export type OnError = 'throw' | 'skip' | ((issue: ReadIssue) => unknown)

/** As many issues are kept for the summary; all are counted. */
const KEPT = 100

/** Counts the issues of a run and does with them what the caller asked for. */
export class IssueLog {
  readonly #onError: OnError
  readonly issues: ReadIssue[] = []
  errors = 0
  /** Errors of documents that list entities: what they list is not known in full. */
  listErrors = 0
  warnings = 0

  constructor(onError: OnError) {
    this.#onError = onError
  }

  /** Rethrows what ends the run: what no document is to blame for, and what the caller does not want to skip. */
  fail(cause: unknown, where: Pick<ReadIssue, 'document' | 'url' | 'id'>): void {
    if (!isAadpClientError(cause) || cause.code === 'budget_exceeded' || cause.code === 'invalid_option')
      throw cause
    this.errors++
    if (where.document !== 'entity') this.listErrors++
    if (
      this.#tell({
        level: 'error',
        code: cause.code,
        message: cause.message,
        ...where,
        ...detailsOf(cause),
        cause,
      })
    ) {
      throw cause
    }
  }

  warn(code: WarningCode, message: string, where: Pick<ReadIssue, 'document' | 'url' | 'id'>): void {
    this.warnings++
    this.#tell({ level: 'warning', code, message, ...where })
  }

  #tell(issue: ReadIssue): boolean {
    if (this.issues.length < KEPT) this.issues.push(issue)
    if (typeof this.#onError !== 'function') return this.#onError === 'throw'
    const answer = this.#onError(issue)
    if (isThenable(answer)) refusePromise(answer)
    return answer === 'throw'
  }
}

/** Nobody would wait for it: what it resolves with came too late, and what it rejects with would end the process. */
function refusePromise(answer: PromiseLike<unknown>): never {
  answer.then(undefined, () => undefined)
  throw new InvalidOptionError('onError', 'a function that answers at once, not with a promise')
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function'
}

function detailsOf(error: AadpClientError): Pick<ReadIssue, 'rule' | 'status'> {
  const rule = error instanceof AadpSchemaValidationError ? error.issues[0]?.rule : undefined
  const status = 'status' in error ? (error.status as number) : undefined
  return { ...(rule !== undefined && { rule }), ...(status !== undefined && { status }) }
}
