import type { ContentSignals } from '@doorplate/ahp-manifest'
import { estimateTokens } from '../estimate-tokens.js'
import type { Turn } from '../turn.js'
import { asFailureOf } from './as-failure-of.js'
import type { AnswerStage } from './answer-stage.js'
import type { AnswerCache } from './cache/answer-cache.js'
import { answerKey } from './cache/answer-key.js'
import {
  type CheckedAnswer,
  type CheckedClarification,
  checkAnswer,
  checkClarification,
  checkIsOutcome,
  invalidOutcome,
  isClarification,
  isEscalation,
} from './check-outcome.js'
import { StageFailure } from './fault.js'
import type { AgreedType } from './negotiate-type.js'
import { readClarification } from './read-clarification.js'
import { Refusal, sessionRefusal } from './refusal.js'
import { clarificationBody, successBody } from './reply-body.js'
import { withOutput } from './schema/with-output.js'
import type { Session, Sessions, TurnWork } from './sessions/sessions.js'
import type { JobTurns } from './take-job-turn.js'
import type { TurnReply, TurnRequest } from './turn-request.js'

export interface TurnParts {
  readonly sessions: Sessions
  readonly cache: AnswerCache<CheckedAnswer> | undefined
  readonly answer: AnswerStage
  /** Undefined where nothing is answered as a job. */
  readonly jobTurns: JobTurns | undefined
  readonly contentSignals: Readonly<ContentSignals>
  readonly maxAnswerTokens: number
}

type OpenTurn = Omit<Turn, 'signal' | 'idempotencyKey' | 'reportProgress'>

/**
 * Takes one turn of a session, new or not. The session moves on only when there is an answer, and one that can be sent.
 * Rejects with a `StageFailure`, or with the reason of a visitor that left.
 */
export function createTakeTurn(parts: TurnParts): (asked: TurnRequest) => Promise<TurnReply> {
  const { sessions, cache, answer, jobTurns, contentSignals, maxAnswerTokens } = parts

  return async function takeTurn(asked) {
    const { request, principal, address, capability } = asked
    const replay = capability.job && (await jobTurns?.replay(asked, capability.job))
    if (replay !== undefined) return replay
    const owner = { address, principal: principal?.id }
    const taken = await sessions.turn(request.session_id, owner, (session) => inSession(asked, session))
    return taken.refusal === undefined ? taken.result : sessionRefusal(taken.refusal)
  }

  async function inSession(asked: TurnRequest, session: Session): Promise<TurnWork<TurnReply>> {
    const { capability, agreed, visitor } = asked
    const turn = openTurn(asked, session)
    if (turn instanceof Refusal) return { result: turn }
    if (capability.job !== undefined && jobTurns !== undefined)
      return jobTurns.take(asked, capability.job, turn, session)
    const key = capability.isCacheable ? cacheKey(turn, agreed, capability.revision?.()) : undefined
    const kept = key === undefined ? undefined : await cache?.get(key)
    if (kept !== undefined) return answered(asked, turn, kept, true)
    const outcome = await answer(capability.answer, turn, visitor)
    if (outcome instanceof Refusal) return { result: outcome }
    asFault(() => {
      checkIsOutcome(outcome)
    })
    if (isClarification(outcome))
      return questioned(
        asked,
        turn,
        asFault(() => checkClarification(outcome)),
      )
    if (isEscalation(outcome)) throw new StageFailure('answer', invalidOutcome(NOT_A_JOB))
    const complete = await asFailureOf('answer', () => withOutput(outcome, capability, agreed.contentType))
    const checked = asFault(() => checkAnswer(complete, agreed, capability, turn.maxTokens))
    if (key !== undefined) await cache?.set(key, checked)
    return answered(asked, turn, checked, false)
  }

  function openTurn(asked: TurnRequest, session: Session): OpenTurn | Refusal {
    const { capability, request, agreed, principal, agent, terms } = asked
    const { context } = request
    const clarification = readClarification(request, session.awaiting)
    if (clarification instanceof Refusal) return clarification
    const { requesting_agent: requestingAgent, user_intent: userIntent, locale } = context
    const input = clarification === undefined ? terms.input : (session.awaiting?.input ?? terms.input)
    return {
      capability: capability.name,
      query: clarification === undefined ? request.query : (session.awaiting?.query ?? request.query),
      contentType: agreed.contentType,
      // Whoever answers may do with it what it likes: the session stays as it was.
      history: session.history.length === 0 ? [] : structuredClone(session.history),
      sessionId: session.id,
      maxTokens: Math.min(context.max_tokens ?? maxAnswerTokens, maxAnswerTokens, session.tokensLeft),
      ...(input === undefined ? {} : { input }),
      ...(clarification === undefined ? {} : { clarification }),
      ...(locale === undefined ? {} : { locale }),
      ...(requestingAgent === undefined ? {} : { requestingAgent }),
      ...(userIntent === undefined ? {} : { userIntent }),
      ...(agent === undefined ? {} : { verifiedAgent: agent.id }),
      ...(principal === undefined ? {} : { principal }),
    }
  }

  function answered(
    { capability }: TurnRequest,
    { query, sessionId }: OpenTurn,
    checked: CheckedAnswer,
    isCached: boolean,
  ): TurnWork<TurnReply> {
    const { answer: text, sources } = checked
    const tokensUsed = isCached ? 0 : checked.tokensUsed
    return {
      result: successBody(checked, { sessionId, capability, contentSignals, isCached }),
      commit: { turn: { capability: capability.name, query, answer: text, sources }, tokensUsed },
    }
  }

  function questioned(
    { capability }: TurnRequest,
    { query, input, sessionId }: OpenTurn,
    checked: CheckedClarification,
  ): TurnWork<TurnReply> {
    return {
      result: clarificationBody(checked, { sessionId, capability, contentSignals, isCached: false }),
      commit: {
        awaiting: {
          capability: capability.name,
          query,
          ...(input === undefined ? {} : { input }),
          ...checked,
        },
        tokensUsed: estimateTokens(checked.question),
      },
    }
  }
}

const NOT_A_JOB = 'escalation is for actions, async, and what has acceptAfterMs'

/** An answer that was a fallback for one visitor is not for another. */
function cacheKey(
  turn: OpenTurn,
  { fallbackFrom = '' }: AgreedType,
  revision: number = 0,
): string | undefined {
  const key = answerKey(turn)
  return key === undefined ? undefined : `${revision} ${fallbackFrom} ${key}`
}

/** What whoever answered did wrong is a fault of its stage. */
function asFault<Result>(check: () => Result): Result {
  try {
    return check()
  } catch (error) {
    throw new StageFailure('answer', error)
  }
}
