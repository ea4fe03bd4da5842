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
    const { request, principal, ownerAddress, capability } = asked
    const replay = capability.job && (await jobTurns?.replay(asked, capability.job))
    if (replay !== undefined) return replay
    const owner = { address: ownerAddress, principal: principal?.id }
    const key = cacheKey(asked)
    const kept = key === undefined ? undefined : await cache?.get(key)
    const taken =
      kept === undefined
        ? await sessions.turn(request.session_id, owner, (session) => inSession(asked, session, key))
        : await sessions.begin(owner, (sessionId) => answered(asked, request.query, sessionId, kept, true))
    return taken.refusal === undefined ? taken.result : sessionRefusal(taken.refusal)
  }

  /** @param key of an answer that may be kept for others */
  async function inSession(
    asked: TurnRequest,
    session: Session,
    key: string | undefined,
  ): Promise<TurnWork<TurnReply>> {
    const { capability, agreed, visitor } = asked
    // It may have left while other turns of the session were taken: nothing is begun for nobody.
    visitor()?.throwIfAborted()
    const turn = openTurn(asked, session)
    if (turn instanceof Refusal) return { result: turn }
    const { id: sessionId } = session
    if (capability.job !== undefined && jobTurns !== undefined)
      return jobTurns.take(asked, capability.job, { ...turn, sessionId }, session)
    // What may be kept for others must not be shaped by whose session it is.
    const outcome = await answer(
      capability.answer,
      key === undefined ? { ...turn, sessionId } : turn,
      visitor,
    )
    if (outcome instanceof Refusal) return { result: outcome }
    asFault(() => {
      checkIsOutcome(outcome)
    })
    const { query } = turn
    if (isClarification(outcome))
      return questioned(
        asked,
        turn,
        sessionId,
        asFault(() => checkClarification(outcome)),
      )
    if (isEscalation(outcome)) throw new StageFailure('answer', invalidOutcome(NOT_A_JOB))
    const complete = await asFailureOf('answer', () => withOutput(outcome, capability, agreed.contentType))
    const checked = asFault(() => checkAnswer(complete, agreed, capability, turn.maxTokens))
    if (key !== undefined) await cache?.set(key, checked)
    return answered(asked, query, sessionId, checked, false)
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
    query: string,
    sessionId: string,
    checked: CheckedAnswer,
    isCached: boolean,
  ): Required<TurnWork<TurnReply>> {
    const { answer: text, sources } = checked
    const tokensUsed = isCached ? 0 : checked.tokensUsed
    return {
      result: successBody(checked, { sessionId, capability, contentSignals, isCached }),
      commit: { turn: { capability: capability.name, query, answer: text, sources }, tokensUsed },
    }
  }

  function questioned(
    { capability }: TurnRequest,
    { query, input }: OpenTurn,
    sessionId: string,
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

/** Only answers to strangers are kept. */
function cacheKey({ capability, key, principal, agent, terms }: TurnRequest): string | undefined {
  if (key === undefined || principal !== undefined) return undefined
  return answerKey(key, {
    revision: capability.revision?.(),
    input: terms.input,
    verifiedAgent: agent?.id,
  })
}

/** What whoever answered did wrong is a fault of its stage. */
function asFault<Result>(check: () => Result): Result {
  try {
    return check()
  } catch (error) {
    throw new StageFailure('answer', error)
  }
}
