import type { PastTurn } from '../../turn.js'

/** A conversation as it is kept: JSON, so that any store can hold it. */
export interface StoredSession {
  /** Whose it is. */
  readonly owner: string
  /** One more with every turn. */
  readonly version: number
  /** How many of those were given back. Default: 0. */
  readonly givenBack?: number
  /** Of the latest turn: tells it from others that were taken at the same time. */
  readonly turnId?: string
  /** What was answered, oldest first. */
  readonly history: readonly PastTurn[]
  /** The question that the last turn asked back. */
  readonly awaiting?: OpenQuestion
  readonly tokensUsed: number
  /** Milliseconds since the epoch. */
  readonly expiresAt: number
}

/** What a visitor was asked, and about which question of its own. */
export interface OpenQuestion {
  readonly capability: string
  readonly query: string
  readonly input?: Readonly<Record<string, unknown>>
  readonly question: string
  readonly options: readonly string[]
  readonly freeForm: boolean
}
