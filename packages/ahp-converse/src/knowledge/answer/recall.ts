import type { AnswerOutcome } from '../../outcome.js'
import type { PastTurn, Turn } from '../../turn.js'
import { estimateTokens } from '../../estimate-tokens.js'
import type { Phrases } from './phrases.js'

const MAX_QUOTED_CHARACTERS = 500

/** Answers a question about the session itself from the session; undefined for every other question. */
export function recall(turn: Turn, phrases: Phrases): AnswerOutcome | undefined {
  const { query, history, maxTokens } = turn
  const asksForAnswer = phrases.asksForAnswer?.test(query) === true
  if (!asksForAnswer && phrases.asksForQuestion?.test(query) !== true) return undefined
  if (history.length === 0) return { answer: phrases.nothingAskedYet }
  if (asksForAnswer) {
    const last = history.at(-1)
    const answer = `${phrases.iAnswered} ${shortened(last?.answer ?? '')}`
    return { answer, ...(last !== undefined && last.sources.length > 0 && { sources: last.sources }) }
  }
  return {
    answer: [phrases.youAsked, ...latest(history, maxTokens - estimateTokens(phrases.youAsked))].join('\n'),
  }
}

/** As many of the latest questions as may be said, oldest first. */
function latest(history: readonly PastTurn[], maxTokens: number): string[] {
  const lines: string[] = []
  let left = maxTokens
  for (const { query } of history.toReversed()) {
    const line = `- ${shortened(query)}`
    left -= estimateTokens(`${line}\n`)
    if (left < 0 && lines.length > 0) break
    lines.unshift(line)
  }
  return lines
}

function shortened(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim()
  return line.length <= MAX_QUOTED_CHARACTERS ? line : `${line.slice(0, MAX_QUOTED_CHARACTERS)}…`
}
