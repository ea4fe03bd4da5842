import type { SafeFetchErrorCode } from '../errors.js'

/** Why an attempt failed. */
export type AttemptFailure = SafeFetchErrorCode | 'aborted'

/** One request on the wire, reported when its response headers are here or when it has failed. */
export interface AttemptEvent {
  /** Counted from 1; each retry is one more. */
  readonly attempt: number
  /** Counted from 0; each redirect followed is one more. */
  readonly hop: number
  readonly method: string
  /** Without userinfo and fragment. */
  readonly url: string
  /** Absent if no response came. */
  readonly status?: number
  /** The code of the failure, `aborted` for an abort. */
  readonly failure?: AttemptFailure
  /** The address the connection was pinned to. For the operator: do not show it to whoever caused the request. */
  readonly address?: string
  /** From handing the request to the connection pool to its headers or its failure. */
  readonly elapsedMs: number
}
