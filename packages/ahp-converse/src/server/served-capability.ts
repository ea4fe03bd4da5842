import type { Answerer } from '../outcome.js'
import type { JobTerms } from './jobs/job-terms.js'
import type { TypeOffer } from './negotiate-type.js'
import type { DataSchema } from './schema/data-schema.js'

/** A declared capability, checked and with its defaults. */
export interface ServedCapability extends TypeOffer {
  readonly name: string
  readonly description: string
  readonly mode: 'MODE1' | 'MODE2' | 'MODE3'
  /** Only of MODE3. */
  readonly actionType?: ActionType
  readonly inputSchema?: DataSchema
  readonly outputSchema?: DataSchema
  readonly requireIntent: boolean
  readonly answer: Answerer
  /** What a request for it counts as. */
  readonly tier: 'ask' | 'action'
  readonly needsPrincipal: boolean
  readonly scopes: readonly string[]
  /** Whether the answer to a stranger's first question may be given to the next who asks the same. */
  readonly isCacheable: boolean
  /** The state of what it answers from, where that changes. */
  readonly revision?: () => number | undefined
  /** Where it is answered as a job: what acts, and what may take longer than a visitor waits. */
  readonly job?: JobTerms
}

/** `query` reads, `action` changes something, `async` is answered later. */
export type ActionType = 'query' | 'action' | 'async'
