import type { Source } from '@doorplate/ahp-manifest/messages'
import type { Answerer, AnswerOutcome, Outcome } from '../../outcome.js'
import type { Turn } from '../../turn.js'
import { nameOf, pathOf, type Passage } from '../documents/passage.js'
import type { DocumentSummary } from '../documents/read-document.js'
import type { LanguageSet } from '../index/language-set.js'
import type { Hit, Retriever } from '../index/retriever.js'
import { guessLanguage } from '../text/guess-language.js'
import { primaryTag } from '../text/language.js'
import { estimateTokens } from '../../estimate-tokens.js'
import { findTopics, isCalled } from './find-topics.js'
import { phrasesFor } from './phrases-for.js'
import type { Phrases } from './phrases.js'
import { readQuestion } from './question.js'
import { quotePassage, type Quote } from './quote-passage.js'
import { recall } from './recall.js'
import { relevantPassages, type RelevantPassage } from './relevant-passage.js'

export interface AnswererOptions {
  readonly retriever: Retriever
  readonly languages: LanguageSet
  readonly documents: () => readonly DocumentSummary[]
  /** BCP 47: what is spoken when the visitor does not say. */
  readonly language: string
  readonly phrases: Readonly<Record<string, Partial<Phrases>>>
}

const SEARCHED = 50
const MAX_QUOTED_PASSAGES = 3
const MAX_ANSWER_TOKENS = 400
const PREFERRED_TOKENS = 120
/** A passage below this share of the best score is not quoted beside it. */
const NEAR_SCORE = 0.5
const MAX_SUGGESTIONS = 3
const MAX_TOPICS = 5
/** A question that leans on the one before it has few words of its own. */
const FEW_WORDS = 3

/** Answers by quoting the passages that are about the question, without a model. */
export function createExtractiveAnswerer(options: AnswererOptions): Answerer {
  return async (turn) => answer(turn, options)
}

async function answer(turn: Turn, options: AnswererOptions): Promise<Outcome> {
  const spoken = turn.locale ?? guessLanguage(turn.query) ?? options.language
  const phrases = phrasesFor(spoken, options.phrases)
  const recalled = recall(turn, phrases, options.languages)
  if (recalled !== undefined) return recalled
  const { relevant, hits } = await find(turn, phrases, options)
  if (relevant.length === 0) return notFound(hits, turn, phrases, primaryTag(spoken), options)
  const chosen = chooseTopic(relevant, turn, phrases)
  if ('ask' in chosen) return { clarification: { question: phrases.whichTopic, options: chosen.ask } }
  return answerFrom(chosen.passages, turn, options)
}

interface Found {
  readonly relevant: readonly RelevantPassage[]
  readonly hits: readonly Hit[]
}

/** Looks in the visitor's language first; a question that leans on the last one is read together with it. */
async function find(turn: Turn, phrases: Phrases, options: AnswererOptions): Promise<Found> {
  const { clarification, history, query } = turn
  if (clarification !== undefined) return findIn(`${query}\n${clarification.reply}`, turn, phrases, options)
  const previous = history.at(-1)?.query
  if (previous === undefined) return findIn(query, turn, phrases, options)
  const together = `${query}\n${previous}`
  const own = await readQuestion(query, options.languages, options.retriever, phrases.askingWords ?? '')
  const leans = own.size === 0 || (own.size <= FEW_WORDS && phrases.refersBack?.test(query) === true)
  return findIn(leans ? together : query, turn, phrases, options)
}

async function findIn(text: string, turn: Turn, phrases: Phrases, options: AnswererOptions): Promise<Found> {
  const { retriever, languages } = options
  const question = await readQuestion(text, languages, retriever, phrases.askingWords ?? '')
  const search = async (filter: { readonly language?: string }): Promise<Found> => {
    const hits = await retriever.search(text, { limit: SEARCHED, signal: turn.signal, ...filter })
    return { hits, relevant: relevantPassages(hits, question, languages) }
  }
  const preferred = turn.locale === undefined ? undefined : languages.get(turn.locale)?.tag
  if (preferred === undefined) return search({})
  const found = await search({ language: preferred })
  return found.relevant.length > 0 ? found : search({})
}

/** What the visitor chose or talked about last is no tie any more. */
function chooseTopic(
  relevant: readonly RelevantPassage[],
  { query, clarification, history }: Turn,
  { negates }: Phrases,
): { readonly passages: readonly RelevantPassage[] } | { readonly ask: readonly string[] } {
  if (clarification !== undefined) {
    return { passages: first(relevant, ({ passage }) => isCalled(passage, clarification.reply)) }
  }
  const topics = findTopics(relevant, (heading) => negates?.test(heading) === negates?.test(query))
  const before = new Set(history.at(-1)?.sources.map(({ url }) => url))
  const known = topics.filter(({ passage: { url } }) => url !== undefined && before.has(url))
  const [topic, ...others] = known.length === 1 ? known : topics
  if (topic === undefined) return { passages: relevant }
  if (others.length > 0) return { ask: topics.map(({ label }) => label) }
  return { passages: first(relevant, ({ passage }) => passage === topic.passage) }
}

function first(
  passages: readonly RelevantPassage[],
  isFirst: (passage: RelevantPassage) => boolean,
): RelevantPassage[] {
  return [...passages.filter(isFirst), ...passages.filter((passage) => !isFirst(passage))]
}

function answerFrom(
  relevant: readonly RelevantPassage[],
  turn: Turn,
  options: AnswererOptions,
): AnswerOutcome {
  const quotes = chooseQuotes(relevant, Math.min(turn.maxTokens, MAX_ANSWER_TOKENS), options.languages)
  const quoted = (quotes.length > 0 ? quotes : relevant.slice(0, 1)).map(({ passage }) => passage)
  const sources = sourcesOf(quoted)
  const suggestions = suggestionsOf(relevant, quotes)
  return {
    // Not even the beginning of a sentence fits into a token or two.
    answer: quotes.map(({ text }) => text).join('\n\n') || '…',
    ...(sources.length > 0 && { sources }),
    ...(suggestions.length > 0 && { suggestedQueries: suggestions }),
  }
}

/** The best passage, then those that have what is still missing of the question. */
function chooseQuotes(
  relevant: readonly RelevantPassage[],
  maxTokens: number,
  languages: LanguageSet,
): Quote[] {
  const quotes: Quote[] = []
  const best = relevant[0]?.score ?? 0
  const said = new Set<string>()
  let left = maxTokens
  for (const passage of relevant) {
    const language = languages.get(passage.passage.language)
    if (language === undefined || passage.score < best * NEAR_SCORE) continue
    const answered = quotes.length === 0 ? undefined : new Set(quotes.flatMap(({ terms }) => [...terms]))
    const limits = { maxTokens: left, preferredTokens: Math.min(left, PREFERRED_TOKENS) }
    const quote = quotePassage(passage, language, answered, limits)
    if (quote === undefined || said.has(quote.text)) continue
    said.add(quote.text)
    quotes.push(quote)
    left -= quote.tokens + 1
    if (quotes.length === MAX_QUOTED_PASSAGES) break
  }
  return quotes
}

function sourcesOf(passages: readonly Passage[]): Source[] {
  const sources = new Map<string, Source>()
  for (const passage of passages) {
    const { url } = passage
    if (url === undefined || sources.has(url)) continue
    const title = pathOf(passage).join(' › ')
    sources.set(url, { ...(title !== '' && { title }), url, relevance: 'direct' })
  }
  return [...sources.values()]
}

/** What stands around the best passage, then what else is about the question. */
function suggestionsOf(relevant: readonly RelevantPassage[], quotes: readonly Quote[]): string[] {
  const quotedNames = new Set(quotes.map(({ passage }) => nameOf(passage)))
  const others = relevant.map(({ passage }) => nameOf(passage))
  const names = new Set([...(quotes[0]?.passage.neighbours ?? []), ...others])
  return [...names].filter((name) => name !== '' && !quotedNames.has(name)).slice(0, MAX_SUGGESTIONS)
}

/** Says so, and names what comes nearest or, without anything near, what there is in the language that is spoken. */
function notFound(
  hits: readonly Hit[],
  turn: Turn,
  phrases: Phrases,
  spoken: string,
  { documents }: AnswererOptions,
): AnswerOutcome {
  const near = hits.map(({ passage }) => nameOf(passage))
  const isSpoken = ({ language }: DocumentSummary): boolean => primaryTag(language) === spoken
  const known = documents()
  const there = (known.some(isSpoken) ? known.filter(isSpoken) : known).map(({ title }) => title)
  const topics = [...new Set([...near, ...there])].filter((name) => name !== '').slice(0, MAX_TOPICS)
  const lines = [phrases.notFound]
  let left = turn.maxTokens - estimateTokens(phrases.notFound) - estimateTokens(phrases.topics)
  for (const topic of topics) {
    left -= estimateTokens(`- ${topic}\n`)
    if (left < 0) break
    if (lines.length === 1) lines.push(phrases.topics)
    lines.push(`- ${topic}`)
  }
  return {
    answer: lines.join('\n'),
    ...(topics.length > 0 && { suggestedQueries: topics.slice(0, MAX_SUGGESTIONS) }),
  }
}
