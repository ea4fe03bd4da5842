import { hasEnded, type JobState, type StoredJob, type StoredTurn } from '../jobs/stored-job.js'
import type { JsonSchema } from '../schema/json-schema.js'
import type { ServedCapability } from '../served-capability.js'
import type { Operator } from './operator.js'

/** A question that waits for a person. Times are milliseconds since the epoch. */
export interface Ticket {
  readonly id: string
  /** What was asked, by whom, after what. Every text in it was written by a stranger. */
  readonly turn: StoredTurn
  /** What the answerer of the capability says about it. */
  readonly note?: string
  /** The type that was agreed with the visitor. */
  readonly contentType: string
  /** What the output of an answer must fit; absent where an answer is text alone. */
  readonly outputSchema?: JsonSchema
  readonly askedAt: number
  /** Since when nobody has it: when it was handed to people, given back, or a claim ran out. */
  readonly waitsSince: number
  /** When the visitor was told to expect an answer. */
  readonly promisedAt?: number
  /** After that nobody can answer it. */
  readonly expiresAt: number
  /** Who answers it, and until when it is left to them. */
  readonly claim?: TicketClaim
}

/** Who has taken a question, and until when (milliseconds since the epoch). */
export interface TicketClaim {
  readonly operator: Operator
  readonly until: number
}

/** What happened to a question. */
export interface TicketEvent {
  /**
   * `waiting`: handed to people. `claimed`, `released`: by the operator of the claim. The others are ends: `answered`,
   * `declined` (by an operator, or cancelled by the site) and `expired`.
   */
  readonly type: 'waiting' | 'claimed' | 'released' | 'answered' | 'declined' | 'expired'
  readonly ticket: Ticket
}

/** Called for what happens in this process; what it gives is ignored. */
export type TicketListener = (event: TicketEvent) => unknown

export const END_EVENTS: Readonly<Partial<Record<JobState, TicketEvent['type']>>> = {
  success: 'answered',
  failed: 'declined',
  expired: 'expired',
}

/** A job as the people see it to whom it was handed. */
export function ticketOf(
  job: StoredJob,
  { capability, now }: { readonly capability: ServedCapability | undefined; readonly now: number },
): Ticket {
  const { id, turn, note, agreed, createdAt, handedOverAt = createdAt, progress, expiresAt, operator } = job
  const outputSchema = capability?.outputSchema?.jsonSchema
  const isClaimed = operator !== undefined && (hasEnded(job) || operator.until > now)
  return {
    id,
    turn,
    ...(note === undefined ? {} : { note }),
    contentType: agreed.contentType,
    ...(outputSchema === undefined ? {} : { outputSchema }),
    askedAt: createdAt,
    waitsSince: operator === undefined || isClaimed ? handedOverAt : operator.until,
    ...(progress?.readyAt === undefined ? {} : { promisedAt: progress.readyAt }),
    expiresAt,
    ...(isClaimed ? { claim: { operator: operator.who, until: operator.until } } : {}),
  }
}
