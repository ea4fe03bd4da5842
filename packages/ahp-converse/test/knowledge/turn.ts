import type { AnswerOutcome, ClarificationOutcome, Outcome } from '../../src/outcome.js'
import type { PastTurn, Turn } from '../../src/turn.js'

/** A first question without a session, unless said otherwise. */
export function turnOf(query: string, facts: Partial<Turn> = {}): Turn {
  return {
    capability: 'site_info',
    query,
    contentType: 'text/answer',
    history: [],
    sessionId: 'session-1',
    maxTokens: 1000,
    signal: new AbortController().signal,
    ...facts,
  }
}

export function pastTurn(query: string, answer = 'An answer.', urls: readonly string[] = []): PastTurn {
  return { capability: 'site_info', query, answer, sources: urls.map((url) => ({ url })) }
}

export function answerIn(outcome: Outcome): AnswerOutcome {
  if (!('answer' in outcome)) throw new Error(`Not answered: ${JSON.stringify(outcome)}`)
  return outcome
}

export function clarificationIn(outcome: Outcome): ClarificationOutcome['clarification'] {
  if (!('clarification' in outcome)) throw new Error(`Not asked back: ${JSON.stringify(outcome)}`)
  return outcome.clarification
}

export function urlsOf({ sources = [] }: AnswerOutcome): string[] {
  return sources.map(({ url }) => url)
}
