import type { ConverseResponse, ErrorResponse } from '@doorplate/ahp-manifest/messages'
import type { Fault } from '../fault.js'

/**
 * What happens on a site. Every member but `durationMs`, `tokensUsed`, `requestId` and `error` takes few values, so that it
 * can be a label of a counter; none is what a visitor wrote, was answered or could be known by. `error` may be anything.
 */
export type SiteEvent = RequestEvent | QuestionEvent | JobEvent | CallbackEvent | FaultEvent

/** An HTTP request was answered. */
export interface RequestEvent {
  readonly type: 'request'
  readonly method: 'GET' | 'HEAD' | 'POST' | 'OPTIONS' | 'PUT' | 'PATCH' | 'DELETE' | 'other'
  /** `manifest`, `content`, `converse`, `status`, the name of a face, or `none`. */
  readonly route: string
  /** Absent when the visitor left before. */
  readonly status?: number
  readonly durationMs: number
}

/** A question was answered or refused, whichever way it came. */
export interface QuestionEvent {
  readonly type: 'question'
  /** One that the site has; absent when none such was asked for. */
  readonly capability?: string
  readonly status: number
  readonly outcome: ConverseResponse['status']
  /** Of an error. */
  readonly code?: ErrorResponse['code']
  readonly cached?: boolean
  readonly tokensUsed?: number
  readonly contentType?: string
  readonly durationMs: number
  readonly requestId?: string
}

/** A job was added, handed to people, or has ended in this process. */
export interface JobEvent {
  readonly type: 'job'
  readonly capability: string
  readonly state: 'added' | 'handed_over' | 'success' | 'failed' | 'expired'
  /** Since it was added. */
  readonly durationMs: number
}

/** An attempt to post a result: `failed` is tried again, `given_up` is not. */
export interface CallbackEvent {
  readonly type: 'callback'
  readonly outcome: 'delivered' | 'failed' | 'given_up'
}

/** Something of the site's own went wrong. */
export interface FaultEvent extends Fault {
  readonly type: 'fault'
  readonly error: unknown
}

/** What it throws or gives is ignored. */
export type Observer = (event: SiteEvent) => unknown
