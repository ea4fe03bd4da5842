import { cutText } from '../../cut-text.js'
import type { AnswerOutcome } from '../../outcome.js'
import type { PastTurn, Turn } from '../../turn.js'
import { estimateTokens } from '../../estimate-tokens.js'
import type { LanguageSet } from '../index/language-set.js'
import type { Phrases } from './phrases.js'

const MAX_QUOTED_CHARACTERS = 500

/** Answers a question about the session itself from the session; undefined for every other question. */
export function recall(turn: Turn, phrases: Phrases, languages: LanguageSet): AnswerOutcome | undefined {
  const { query, history, maxTokens } = turn
  const asksForAnswer = phrases.asksForAnswer?.exec(query)
  if (asksForAnswer) {
    const [words] = asksForAnswer
    return answerAbout(query.replace(words, ' '), turn, phrases, languages)
  }
  if (phrases.asksForQuestion?.test(query) !== true) return undefined
  if (history.length === 0) return { answer: phrases.nothingAskedYet }
  return {
    answer: [phrases.youAsked, ...latest(history, maxTokens - estimateTokens(phrases.youAsked))].join('\n'),
  }
}

/** "What did you say about refunds?" means what was said about refunds; if nothing was, it is a question like any other. */
function answerAbout(
  object: string,
  { query, history }: Turn,
  phrases: Phrases,
  languages: LanguageSet,
): AnswerOutcome | undefined {
  const asking = new Set(languages.terms(phrases.askingWords ?? ''))
  const terms = languages.terms(object).filter((term) => !asking.has(term))
  if (history.length === 0) return terms.length === 0 ? { answer: phrases.nothingAskedYet } : undefined
  const meant = phrases.meansFirst?.test(query) === true ? history : history.toReversed()
  const past = meant.find((one) => {
    const said = new Set(languages.terms(`${one.query}\n${one.answer}`))
    return terms.filter((term) => said.has(term)).length * 2 >= terms.length
  })
  if (past === undefined) return undefined
  const { answer, sources } = past
  return { answer: `${phrases.iAnswered} ${shortened(answer)}`, ...(sources.length > 0 && { sources }) }
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
  return cutText(text.replace(/\s+/g, ' ').trim(), MAX_QUOTED_CHARACTERS)
}
