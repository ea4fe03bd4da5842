import type { Answerer } from '../outcome.js'
import type { TypeOffer } from './negotiate-type.js'

/** A declared capability, checked and with its defaults. */
export interface ServedCapability extends TypeOffer {
  readonly name: string
  readonly description: string
  readonly mode: 'MODE1' | 'MODE2'
  readonly answer: Answerer
  /** What a request for it counts as. */
  readonly tier: 'ask'
  readonly needsPrincipal: boolean
  readonly scopes: readonly string[]
  /** Whether the answer to a stranger's first question may be given to the next who asks the same. */
  readonly isCacheable: boolean
  /** The state of what it answers from, where that changes. */
  readonly revision?: () => number | undefined
}
