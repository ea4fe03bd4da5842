import type { Source } from '@doorplate/ahp-manifest/messages'
import { generateText, stepCountIs, type LanguageModel } from 'ai'
import { pathOf, type Passage } from '../knowledge/documents/passage.js'
import type { Answerer, AnswerOutcome, Outcome } from '../outcome.js'
import type { Turn } from '../turn.js'
import { checkSettings, type AnswerWithOptions, type Settings } from './answer-with-options.js'
import { createDataMarker } from './data-block.js'
import { guardTools } from './guarded-tools.js'
import { noAnswerMark, writePrompt } from './prompt.js'

const CITATION = /\s*\[s\d+(?:\s*,\s*s\d+)*\]/g

/**
 * Answers with a language model of the AI SDK, from passages of `knowledge` as its only sources. Everything that a visitor, a document
 * or a tool wrote reaches the model as marked data; ties between topics are asked about before it is called.
 * @throws {ConverseError} `invalid_option`
 */
export function answerWith(model: LanguageModel, options: AnswerWithOptions): Answerer {
  const settings = checkSettings(options)
  return async (turn) => {
    const extractive = await settings.knowledge.answer(turn)
    if ('clarification' in extractive) return extractive
    const passages = await findPassages(turn, settings)
    const hasTools = settings.allowedTools.length > 0
    if (passages.length === 0 && turn.history.length === 0 && !hasTools) return extractive
    try {
      return (await askModel(model, turn, passages, settings)) ?? extractive
    } catch (error) {
      turn.signal.throwIfAborted()
      settings.onError(error, { stage: 'model', capability: turn.capability })
      if (settings.onModelFailure === 'throw') throw error
      return extractive
    }
  }
}

/** A question in a session may lean on the one before it. */
async function findPassages(turn: Turn, { knowledge, maxPassages }: Settings): Promise<Passage[]> {
  const { query, clarification, history, signal } = turn
  const previous = history.at(-1)?.query
  const asked = clarification === undefined ? query : `${query}\n${clarification.reply}`
  const questions = previous === undefined ? [asked] : [asked, `${asked}\n${previous}`]
  const passages = new Map<string, Passage>()
  for (const question of questions) {
    for (const { passage } of await knowledge.retrieve(question, { limit: maxPassages, signal })) {
      passages.set(passage.id, passage)
    }
  }
  return [...passages.values()].slice(0, maxPassages)
}

/** Undefined where the model found no answer. */
async function askModel(
  model: LanguageModel,
  turn: Turn,
  passages: readonly Passage[],
  settings: Settings,
): Promise<Outcome | undefined> {
  const marker = createDataMarker(settings.random)
  const { system, prompt, sources } = writePrompt(turn, passages, marker, settings)
  const { tools, used } = guardTools(marker, settings)
  const { maxToolRounds } = settings
  const abortSignal = AbortSignal.any([turn.signal, AbortSignal.timeout(settings.timeoutMs)])
  const result = await untilAborted(
    generateText({
      model,
      system,
      prompt,
      tools,
      // After the last round of tools the model gets one more turn, in which it can only answer.
      stopWhen: stepCountIs(maxToolRounds + 1),
      prepareStep: ({ stepNumber }) => (stepNumber < maxToolRounds ? {} : { toolChoice: 'none' }),
      maxOutputTokens: Math.min(turn.maxTokens, settings.maxOutputTokens),
      maxRetries: settings.maxRetries,
      abortSignal,
    }),
    abortSignal,
  )
  const { text, totalUsage } = result
  if (text.includes(noAnswerMark(marker))) return undefined
  const answer = marker.strip(text).replace(CITATION, '').trim()
  if (answer === '') throw new Error(`The model wrote no answer (${result.finishReason})`)
  return outcomeOf(answer, citedIn(text, sources), totalUsage, [...used])
}

function outcomeOf(
  answer: string,
  cited: readonly Passage[],
  { totalTokens, inputTokens = 0, outputTokens = 0 }: Usage,
  toolsUsed: readonly string[],
): AnswerOutcome {
  const tokensUsed = totalTokens ?? inputTokens + outputTokens
  const sources = new Map<string, Source>()
  for (const passage of cited) {
    if (passage.url === undefined || sources.has(passage.url)) continue
    sources.set(passage.url, { title: pathOf(passage).join(' › '), url: passage.url, relevance: 'direct' })
  }
  return {
    answer,
    ...(sources.size > 0 && { sources: [...sources.values()] }),
    ...(Number.isSafeInteger(tokensUsed) && tokensUsed > 0 && { tokensUsed }),
    ...(toolsUsed.length > 0 && { toolsUsed }),
  }
}

interface Usage {
  readonly totalTokens: number | undefined
  readonly inputTokens: number | undefined
  readonly outputTokens: number | undefined
}

function citedIn(text: string, sources: ReadonlyMap<string, Passage>): Passage[] {
  const ids = new Set([...text.matchAll(CITATION)].flatMap(([citation]) => citation.match(/s\d+/g) ?? []))
  return [...sources].filter(([id]) => ids.has(id)).map(([, passage]) => passage)
}

/** A model that ignores the signal keeps nobody waiting. */
function untilAborted<Result>(promise: Promise<Result>, signal: AbortSignal): Promise<Result> {
  return new Promise((resolve, reject) => {
    const abort = (): void => {
      reject(signal.reason as Error)
    }
    if (signal.aborted) abort()
    signal.addEventListener('abort', abort, { once: true })
    promise.then(resolve, reject).finally(() => {
      signal.removeEventListener('abort', abort)
    })
  })
}
