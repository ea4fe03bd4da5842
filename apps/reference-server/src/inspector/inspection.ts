import type { ConformanceReport } from '@doorplate/aadp-conformance'
import type { DiscoveryResult } from '@doorplate/agent-discovery'
import type { Failure } from './failure.js'
import type { Handshake } from './shake-hands.js'
import type { ReadTree } from './read-tree.js'
import type { RecordedRequest } from './recorded-request.js'

/** What became of one part of an inspection. */
export type Step<Result> =
  | { readonly state: 'waiting' }
  | { readonly state: 'running'; readonly note?: string }
  | { readonly state: 'done'; readonly result: Result }
  | { readonly state: 'failed'; readonly failure: Failure }

export interface Steps {
  /** What an agent finds. */
  readonly find: Step<DiscoveryResult>
  /** What it can read, over AADP. */
  readonly read: Step<ReadTree>
  /** Whom it can ask, over AHP. */
  readonly ask: Step<Handshake>
  /** The conformance suites; absent where nobody asked for them. */
  readonly aadp?: Step<ConformanceReport>
  readonly ahp?: Step<ConformanceReport>
}

/** All of it is data, in part written by the inspected site. */
export interface Inspection {
  /** 32 hexadecimal digits. */
  readonly id: string
  readonly url: string
  readonly isOwnSite: boolean
  /** RFC 3339. */
  readonly startedAt: string
  /** In the line of those that wait for their turn, from 1; absent once it has begun. */
  readonly place?: number
  readonly isOver: boolean
  readonly durationMs: number
  readonly steps: Steps
  readonly requests: readonly RecordedRequest[]
}
