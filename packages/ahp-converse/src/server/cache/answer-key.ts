import type { ReceivedRequest } from '@doorplate/ahp-manifest/messages'
import type { AgreedType } from '../negotiate-type.js'

/** What shapes the answer besides the question. */
export interface AnswerCircumstances {
  /** The state of what it is answered from. */
  readonly revision: number | undefined
  /** As it was checked. */
  readonly input: Readonly<Record<string, unknown>> | undefined
  readonly verifiedAgent: string | undefined
}

/**
 * What of a request shapes the answer to it, as text: two have the same only if they differ in nothing but the space in their
 * query or how its letters are composed. Undefined for a request that has more to it than its question: a session, a reply.
 *
 * Nothing is cut or hashed, so that no question is taken for another.
 *
 * @param maxTokens the most that the site allows an answer
 */
export function questionKey(
  { capability, query, session_id: session, clarification, context }: ReceivedRequest,
  { contentType, fallbackFrom }: AgreedType,
  maxTokens: number,
): string | undefined {
  if (session !== undefined || clarification !== undefined) return undefined
  return JSON.stringify([
    capability,
    query.normalize().trim().replace(/\s+/g, ' '),
    contentType,
    // An answer that was a fallback for one visitor is not for another.
    fallbackFrom ?? null,
    context.locale?.toLowerCase() ?? null,
    Math.min(context.max_tokens ?? maxTokens, maxTokens),
    context.requesting_agent ?? null,
    context.user_intent ?? null,
  ])
}

/** The whole of what shapes an answer to a stranger. */
export function answerKey(
  question: string,
  { revision = 0, input, verifiedAgent }: AnswerCircumstances,
): string {
  const key = `${revision} ${question}`
  if (input === undefined && verifiedAgent === undefined) return key
  return key + JSON.stringify([input ?? null, verifiedAgent ?? null])
}
