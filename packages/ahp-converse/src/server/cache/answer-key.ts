import type { Turn } from '../../turn.js'

/**
 * The whole of what shaped the answer to a turn, as text: two turns have the same key only if they differ in nothing but the
 * space in their query or how its letters are composed. Undefined for a turn that has more to it than its question: a
 * history, a reply to a question, a principal, an effect.
 *
 * Nothing is cut or hashed, so that no question is taken for another.
 */
export function answerKey(turn: Omit<Turn, 'signal' | 'sessionId'>): string | undefined {
  const { capability, query, input, clarification, contentType, history, locale, maxTokens } = turn
  const { requestingAgent, verifiedAgent, userIntent, principal, idempotencyKey } = turn
  if (history.length > 0 || clarification !== undefined) return undefined
  if (principal !== undefined || idempotencyKey !== undefined) return undefined
  return JSON.stringify([
    capability,
    query.normalize().trim().replace(/\s+/g, ' '),
    input ?? null,
    contentType,
    locale?.toLowerCase() ?? null,
    maxTokens,
    requestingAgent ?? null,
    verifiedAgent ?? null,
    userIntent ?? null,
  ])
}
