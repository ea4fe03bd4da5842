import type { ClarificationResponse, FailedResponse, SuccessResponse } from '@doorplate/ahp-manifest/messages'
import type { Turn } from '../../turn.js'
import type { AgreedType } from '../negotiate-type.js'
import type { Operator } from '../operators/operator.js'

/**
 * `waiting`: nobody has begun. `running`: somebody has, and it may have had its effect. The others are ends. On the wire
 * the first two are both `pending`.
 */
export type JobState = 'waiting' | 'running' | 'success' | 'failed' | 'expired'

/** A job as it is kept: JSON, so that any store can hold it. Times are milliseconds since the epoch. */
export interface StoredJob {
  /** 128 random bits, in hexadecimal digits. */
  readonly id: string
  /** One more with every change but a longer lease. */
  readonly version: number
  /** Whose it is: `principal` or `address`, a space, and its id. */
  readonly owner: string
  /** Whose limits it counts against: the owner, or the network of an IPv6 address. */
  readonly account: string
  readonly state: JobState
  /** Who takes the next step; absent when none is left. */
  readonly queue?: JobQueue
  /** When the next step may be claimed. Whoever claims it moves this to the end of the lease. */
  readonly dueAt: number
  readonly createdAt: number
  /** When it ends as `expired`, unless it has ended before. */
  readonly expiresAt: number
  readonly finishedAt?: number
  readonly turn: StoredTurn
  readonly agreed: AgreedType
  readonly idempotency?: Idempotency
  readonly progress?: JobProgress
  /** For the person who answers. */
  readonly note?: string
  /** When it was handed to people, by whoever answers first or by one of them. */
  readonly handedOverAt?: number
  /** Which of them claimed it last. */
  readonly operator?: JobOperator
  readonly result?: JobResult
  readonly callback?: JobCallback
}

/** `work`: answer it. `operator`: a person does. `delivery`: post the result. */
export type JobQueue = 'work' | 'operator' | 'delivery'

/** The turn of a job, as far as it can be kept. */
export type StoredTurn = Omit<Turn, 'signal' | 'idempotencyKey' | 'reportProgress' | 'sessionId'> & {
  readonly sessionId: string
}

/** What makes a repeated request known. */
export interface Idempotency {
  /** Unique among all jobs that are kept: the owner and the key it sent. */
  readonly key: string
  /** Of the request; another one with the same key is refused. */
  readonly digest: string
}

/** What a visitor who polls is told. */
export interface JobProgress {
  readonly text?: string
  /** Milliseconds since the epoch. */
  readonly readyAt?: number
}

/** What became of it. Its `session_id` is the id of the job. */
export type JobResult = SuccessResponse | ClarificationResponse | FailedResponse

/** The operator who has claimed a job. */
export interface JobOperator {
  readonly who: Operator
  /** Others leave it alone until then. */
  readonly until: number
}

/** Where the result of a job is to be posted, and what came of it. */
export interface JobCallback {
  readonly url: string
  /** Attempts that were begun. */
  readonly attempts: number
  readonly deliveredAt?: number
}

export function hasEnded({ state }: StoredJob): boolean {
  return state !== 'waiting' && state !== 'running'
}
