import { ConverseError, invalidOption } from '../../converse-error.js'
import { estimateTokens } from '../../estimate-tokens.js'
import type { AnswerOutcome } from '../../outcome.js'
import { checkWhole } from '../check-option.js'
import { invalidOutcome } from '../check-outcome.js'
import type { JobEnd } from '../jobs/ended-job.js'
import type { JobResultMaker } from '../jobs/job-result.js'
import type { Jobs } from '../jobs/jobs.js'
import type { StoredJob } from '../jobs/stored-job.js'
import { checkOperator, type Operator } from './operator.js'
import type { Ticket, TicketEvent, TicketListener } from './ticket.js'

/** The questions that wait for a person. Whoever may use it is the site's to say: it checks no credential. */
export interface OperatorInbox {
  /** The oldest first. Default: at most 100. */
  list(options?: { readonly limit?: number }): Promise<readonly Ticket[]>
  /** Undefined when there is none of this id, or it has ended. */
  read(id: string): Promise<Ticket | undefined>
  /**
   * Takes a question, or takes it for longer; then the others leave it alone until the claim has run out. Rejects with
   * `unknown_ticket`, or `ticket_claimed` when it is another operator's.
   */
  claim(id: string, options: OperatorOptions): Promise<Ticket>
  /** Gives it back to all. Rejects as `claim` does, and with `ticket_not_claimed` when it is nobody's. */
  release(id: string, options: OperatorOptions): Promise<Ticket>
  /**
   * Ends it with this answer, which the visitor gets as that of any job. Only for the operator who claimed it last. Rejects
   * as `release` does, and with `invalid_outcome` when the answer cannot be sent: then it is still theirs.
   */
  answer(id: string, options: OperatorOptions & AnswerOutcome): Promise<void>
  /** Ends it as failed; the visitor gets the message, at most 2,000 characters. Rejects as `release` does. */
  decline(id: string, options: OperatorOptions & { readonly message?: string }): Promise<void>
  /** Calls back for what happens to tickets in this process; gives what ends that. */
  subscribe(listener: TicketListener): () => void
}

/** Who does a step at the inbox. */
export interface OperatorOptions {
  /** Who does it. */
  readonly operator: Operator
}

export interface InboxParts {
  /** Undefined where nothing is answered as a job: then nothing waits. */
  readonly jobs: Pick<Jobs, 'store' | 'end'> | undefined
  readonly claimMs: number
  readonly ticketOf: (job: StoredJob) => Ticket
  readonly makeResult: JobResultMaker
  readonly emit: (event: TicketEvent) => void
  readonly subscribe: OperatorInbox['subscribe']
  readonly now: () => number
}

const MAX_LISTED = 1000
const MAX_MESSAGE_LENGTH = 2000
const DECLINED = 'Nobody at the site could answer this.'
/** Others may change the job in between: colleagues, and whoever is told of it. */
const MAX_TRIES = 10

/** Each step is one change of the stored job that names the version it was made for, so that only one of two is made. */
export function createOperatorInbox(parts: InboxParts): OperatorInbox {
  const { jobs, claimMs, ticketOf, makeResult, emit, subscribe, now } = parts

  async function openJob(id: string): Promise<StoredJob | undefined> {
    const job = await jobs?.store.read(id)
    return job?.queue === 'operator' && job.expiresAt > now() ? job : undefined
  }

  /** Takes a step until it is made for the job as it is in the store. */
  async function step<Result>(
    id: string,
    tryStep: (job: StoredJob) => Promise<Result | undefined>,
  ): Promise<Result> {
    for (let tries = 0; tries < MAX_TRIES; tries++) {
      const job = await openJob(id)
      if (job === undefined) throw new ConverseError('unknown_ticket', 'There is no such question any more.')
      const result = await tryStep(job)
      if (result !== undefined) return result
    }
    throw new ConverseError('ticket_claimed', 'Others are changing the question.')
  }

  async function change(job: StoredJob, type: TicketEvent['type']): Promise<Ticket | undefined> {
    const { version } = job
    const next = { ...job, version: version + 1 }
    if (!(await jobs?.store.update(next, { expectedVersion: version }))) return undefined
    const ticket = ticketOf(next)
    emit({ type, ticket })
    return ticket
  }

  async function end(job: StoredJob, how: JobEnd): Promise<true | undefined> {
    return (await jobs?.end(job, how)) === true || undefined
  }

  return {
    async list({ limit = 100 } = {}) {
      checkWhole('limit', limit, 1, MAX_LISTED)
      const queued = (await jobs?.store.list({ queue: 'operator', limit })) ?? []
      return queued.filter(({ expiresAt }) => expiresAt > now()).map(ticketOf)
    },
    async read(id) {
      const job = await openJob(id)
      return job && ticketOf(job)
    },
    async claim(id, options) {
      const who = checkOperator(options.operator)
      return step(id, (job) => {
        refuseOthers(job, who, now())
        const until = Math.min(now() + claimMs, job.expiresAt)
        return change({ ...job, operator: { who, until }, dueAt: until }, 'claimed')
      })
    },
    async release(id, options) {
      const who = checkOperator(options.operator)
      return step(id, (job) => {
        refuseUnclaimed(job, who, now())
        const { operator: _given, ...released } = job
        return change({ ...released, handedOverAt: now(), dueAt: now() }, 'released')
      })
    },
    async answer(id, { operator, ...outcome }) {
      const who = checkOperator(operator)
      await step(id, async (job) => {
        refuseUnclaimed(job, who, now())
        refuseTooLong(outcome, job.turn.maxTokens)
        return end(job, { state: 'success', result: await makeResult(outcome, job) })
      })
    },
    async decline(id, { operator, message = DECLINED }) {
      const who = checkOperator(operator)
      if (typeof message !== 'string' || message.trim() === '' || message.length > MAX_MESSAGE_LENGTH)
        throw invalidOption('message', `must be a string of 1 to ${MAX_MESSAGE_LENGTH} characters`)
      await step(id, (job) => {
        refuseUnclaimed(job, who, now())
        return end(job, { state: 'failed', result: { status: 'failed', session_id: id, message } })
      })
    },
    subscribe,
  }
}

function refuseOthers({ operator }: StoredJob, { id }: Operator, now: number): void {
  if (operator === undefined || operator.who.id === id || operator.until <= now) return
  throw new ConverseError('ticket_claimed', 'Another operator has claimed the question.')
}

/** A claim that has run out is good as long as nobody else has made one. */
function refuseUnclaimed(job: StoredJob, operator: Operator, now: number): void {
  refuseOthers(job, operator, now)
  if (job.operator?.who.id === operator.id) return
  throw new ConverseError('ticket_not_claimed', 'The question must be claimed first.')
}

/** What a machine says is cut; what a person says is not. */
function refuseTooLong({ answer }: AnswerOutcome, maxTokens: number): void {
  if (typeof answer !== 'string') return
  const tokens = estimateTokens(answer)
  if (tokens > maxTokens)
    throw invalidOutcome(`answer has about ${tokens} tokens, and the visitor takes at most ${maxTokens}`)
}
