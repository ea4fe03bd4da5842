import type { AcceptedResponse } from '@doorplate/ahp-manifest/messages'
import { digestOf } from './cache/digest-of.js'
import { addressBucket } from './limits/address-bucket.js'
import { acceptedBody, settledReply } from './jobs/job-reply.js'
import type { JobTerms } from './jobs/job-terms.js'
import type { Jobs } from './jobs/jobs.js'
import { hasEnded, type Idempotency, type StoredJob, type StoredTurn } from './jobs/stored-job.js'
import { invalidRequest, Refusal, sessionRefusal, unavailable } from './refusal.js'
import { ownerName, type Session, type TurnWork } from './sessions/sessions.js'
import type { TurnReply, TurnRequest } from './turn-request.js'

export interface JobTurns {
  /** The reply to a request that was made before with the same key; undefined for a new one. */
  replay(asked: TurnRequest, terms: JobTerms): Promise<TurnReply | undefined>
  /** Takes a turn whose answer is a job. */
  take(asked: TurnRequest, terms: JobTerms, turn: StoredTurn, session: Session): Promise<TurnWork<TurnReply>>
}

export interface JobTurnParts {
  readonly jobs: Jobs
  /** Where jobs are polled, without a slash at its end. */
  readonly statusPath: string
  readonly now: () => number
}

const MAX_RETRY_SECONDS = 60

/** Turns that act, and those whose answer may take longer than a visitor waits. */
export function createJobTurns({ jobs, statusPath, now }: JobTurnParts): JobTurns {
  return {
    async replay(asked, { acceptAfterMs }) {
      const idempotency = await idempotencyOf(asked)
      if (idempotency === undefined) return undefined
      const known = await jobs.find(idempotency.key)
      if (known === undefined) return undefined
      if (known.idempotency?.digest !== idempotency.digest) return OTHER_REQUEST
      return replyOf(await jobs.settled(known, { timeoutMs: acceptAfterMs, signal: asked.visitor() }))
    },

    async take(asked, { acceptAfterMs, etaSeconds, expireAfterMs }, turn, session) {
      const {
        agreed,
        terms: { callbackUrl },
      } = asked
      const idempotency = await idempotencyOf(asked)
      // No work is begun that a turn too many asked for.
      if (!(await session.reserve())) return { result: sessionRefusal('conflict') }
      const submitted = await jobs.submit(
        {
          owner: ownerOf(asked),
          account: ownerOf({ ...asked, ownerAddress: addressBucket(asked.address) }),
          turn,
          agreed,
          progress: { readyAt: now() + etaSeconds * 1000 },
          expireAfterMs,
          ...(idempotency === undefined ? {} : { idempotency }),
          ...(callbackUrl === undefined ? {} : { callback: { url: callbackUrl, attempts: 0 } }),
        },
        { timeoutMs: acceptAfterMs, signal: asked.visitor() },
      )
      if (submitted.outcome === 'too_many') {
        await session.giveBack()
        return { result: tooMany(submitted.scope) }
      }
      if (submitted.outcome === 'not_added') {
        await session.giveBack()
        throw submitted.error
      }
      const { outcome, job } = submitted
      if (outcome === 'added') return turnWork(job, replyOf(job))
      // It came twice at once: the other one is the turn.
      await session.giveBack()
      return { result: job.idempotency?.digest === idempotency?.digest ? replyOf(job) : OTHER_REQUEST }
    },
  }

  function replyOf(job: StoredJob): TurnReply {
    return hasEnded(job) ? settledReply(job) : acceptedBody(job, now(), statusPath)
  }
}

const OTHER_REQUEST = invalidRequest('Idempotency-Key: the key was used for another request.', {
  status: 409,
})

/** Of the whole request, so that the same key means the same effect. Keys of one caller are not another's. */
async function idempotencyOf(asked: TurnRequest): Promise<Idempotency | undefined> {
  const {
    request,
    terms: { idempotencyKey },
  } = asked
  if (idempotencyKey === undefined) return undefined
  return { key: `${ownerOf(asked)} ${idempotencyKey}`, digest: await digestOf(JSON.stringify(request)) }
}

function ownerOf({ ownerAddress, principal }: Pick<TurnRequest, 'ownerAddress' | 'principal'>): string {
  return ownerName({ address: ownerAddress, principal: principal?.id })
}

function tooMany(scope: 'owner' | 'store'): Refusal {
  if (scope === 'store') return unavailable('The site has too much to do. Ask again later.')
  const message = 'Too much of yours is not done yet. Wait for it, and ask again.'
  return new Refusal(
    { code: 'rate_limited', message, retry_after: MAX_RETRY_SECONDS },
    { headers: { 'retry-after': String(MAX_RETRY_SECONDS) } },
  )
}

/** What the session knows of it afterwards: what was answered, or asked back, while the visitor waited. */
function turnWork(
  { turn: { capability, query, input } }: StoredJob,
  result: TurnReply,
): TurnWork<Exclude<TurnReply, AcceptedResponse> | TurnReply> {
  if (result instanceof Refusal || result.status === 'accepted') return { result }
  if (result.status === 'success') {
    const { answer, sources = [] } = result.response
    return {
      result,
      commit: { turn: { capability, query, answer, sources }, tokensUsed: result.meta?.tokens_used ?? 0 },
    }
  }
  const { question, options, free_form: freeForm = true } = result.clarification
  return {
    result,
    commit: {
      awaiting: {
        capability,
        query,
        ...(input === undefined ? {} : { input }),
        question,
        options: options ?? [],
        freeForm,
      },
      tokensUsed: 0,
    },
  }
}
