import { validatePayload, type Source } from '@doorplate/ahp-manifest/messages'
import { ConverseError } from '../converse-error.js'
import { estimateTokens } from '../estimate-tokens.js'
import type { AnswerOutcome, ClarificationOutcome, EscalationOutcome, Outcome } from '../outcome.js'
import type { AgreedType, TypeOffer } from './negotiate-type.js'
import { withinTokens } from './within-tokens.js'

const TEXT = 'text/answer'
const MAX_NOTE_LENGTH = 10_000
/** Thirty years. */
export const MAX_ETA_SECONDS = 1_000_000_000
const RELEVANCES: readonly unknown[] = ['direct', 'indirect', 'background', undefined]

/** An answer that can be sent: its type is one the visitor takes, and its payload fits that type. */
export interface CheckedAnswer {
  readonly answer: string
  readonly contentType: string
  readonly fallbackFrom?: string
  readonly payload?: Readonly<Record<string, unknown>>
  readonly sources: readonly Source[]
  readonly suggestedQueries: readonly string[]
  readonly tokensUsed: number
  readonly toolsUsed?: readonly string[]
}

export interface CheckedClarification {
  readonly question: string
  readonly options: readonly string[]
  /** Whether another reply than the options is taken. */
  readonly freeForm: boolean
}

/** @throws {ConverseError} `invalid_outcome` for what is no outcome at all */
export function checkIsOutcome(outcome: unknown): void {
  if (typeof outcome !== 'object' || outcome === null) throw invalidOutcome('an outcome must be an object')
}

export function isClarification(outcome: Outcome): outcome is ClarificationOutcome {
  return 'clarification' in outcome
}

export function isEscalation(outcome: Outcome): outcome is EscalationOutcome {
  return 'escalation' in outcome
}

/**
 * Checks what was answered before any of it is sent, and cuts a text that is longer than it may be.
 *
 * @throws {ConverseError} `invalid_outcome`: whoever answered is at fault, and the message says why
 */
export function checkAnswer(
  outcome: AnswerOutcome,
  agreed: AgreedType,
  offer: TypeOffer,
  maxTokens: number,
): CheckedAnswer {
  const { answer, sources = [], suggestedQueries = [], tokensUsed, toolsUsed } = outcome
  if (!isText(answer)) throw invalidOutcome('answer must be a string that is not empty')
  if (!Array.isArray(sources)) throw invalidOutcome('sources must be an array')
  if (!isListOfTexts(suggestedQueries)) throw invalidOutcome('suggestedQueries must be an array of strings')
  if (toolsUsed !== undefined && !isListOfTexts(toolsUsed))
    throw invalidOutcome('toolsUsed must be an array of strings')
  if (tokensUsed !== undefined && !(Number.isSafeInteger(tokensUsed) && tokensUsed >= 0))
    throw invalidOutcome('tokensUsed must be a whole number of 0 or more')
  const text = withinTokens(answer, maxTokens)
  return {
    answer: text,
    ...typeOf(outcome, agreed, offer),
    sources: sources.map(checkSource),
    suggestedQueries: [...suggestedQueries],
    tokensUsed: tokensUsed ?? estimateTokens(text),
    ...(toolsUsed === undefined ? {} : { toolsUsed: [...toolsUsed] }),
  }
}

/** @throws {ConverseError} `invalid_outcome` */
export function checkClarification({ clarification }: ClarificationOutcome): CheckedClarification {
  const { question, options = [], freeForm = true } = clarification
  if (!isText(question)) throw invalidOutcome('clarification.question must be a string that is not empty')
  if (!isListOfTexts(options)) throw invalidOutcome('clarification.options must be an array of strings')
  if (typeof (freeForm as unknown) !== 'boolean')
    throw invalidOutcome('clarification.freeForm must be a boolean')
  if (!freeForm && options.length === 0)
    throw invalidOutcome('clarification without options must take a reply in free form')
  return { question, options: [...options], freeForm }
}

/** @throws {ConverseError} `invalid_outcome` */
export function checkEscalation({ escalation }: EscalationOutcome): EscalationOutcome['escalation'] {
  if (typeof (escalation as unknown) !== 'object' || (escalation as unknown) === null)
    throw invalidOutcome('escalation must be an object')
  const { note, etaSeconds } = escalation
  if (note !== undefined && (typeof (note as unknown) !== 'string' || note.length > MAX_NOTE_LENGTH))
    throw invalidOutcome(`escalation.note must be a string of at most ${MAX_NOTE_LENGTH} characters`)
  if (etaSeconds !== undefined && !(etaSeconds >= 0 && etaSeconds <= MAX_ETA_SECONDS))
    throw invalidOutcome(`escalation.etaSeconds must be a number from 0 to ${MAX_ETA_SECONDS}`)
  return escalation
}

/** The visitor gets the agreed type with its payload, or the text alone where text will do. */
function typeOf(
  { contentType, payload }: AnswerOutcome,
  agreed: AgreedType,
  offer: TypeOffer,
): Pick<CheckedAnswer, 'contentType' | 'fallbackFrom' | 'payload'> {
  const given = contentType ?? (payload === undefined ? TEXT : agreed.contentType)
  if (agreed.contentType === TEXT) return agreed
  if (given === agreed.contentType) {
    const own = payload === undefined ? undefined : jsonOf(payload)
    const [issue] = validatePayload(given, own).issues
    if (issue !== undefined) throw invalidOutcome(`payload${issue.path}: ${issue.message}`)
    return { contentType: given, ...(own === undefined ? {} : { payload: own }) }
  }
  if (given === TEXT && (offer.acceptFallback || offer.responseTypes.includes(TEXT)))
    return { contentType: TEXT, fallbackFrom: agreed.contentType }
  throw invalidOutcome(`contentType must be ${agreed.contentType}, which was agreed with the visitor`)
}

/** What is sent of a payload; a copy, as whoever answered may use the original again. */
function jsonOf(payload: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  try {
    return JSON.parse(JSON.stringify(payload)) as Readonly<Record<string, unknown>>
  } catch (cause) {
    throw invalidOutcome('payload must be JSON', { cause })
  }
}

function checkSource(source: Source): Source {
  const { title, url, relevance } = (source as Source | null) ?? { url: '' }
  if (!isText(url) || !isAddress(url)) throw invalidOutcome('sources: url must be a path or an http(s) URL')
  if (title !== undefined && typeof (title as unknown) !== 'string')
    throw invalidOutcome('sources: title must be a string')
  if (!RELEVANCES.includes(relevance))
    throw invalidOutcome('sources: relevance must be direct, indirect or background')
  return {
    ...(title === undefined ? {} : { title }),
    url,
    ...(relevance === undefined ? {} : { relevance }),
  }
}

/** A path that begins with one slash, or an absolute URL of the web; nothing that URL parsers drop or read as a slash. */
function isAddress(url: string): boolean {
  if (/[\s\\]/.test(url)) return false
  if (url.startsWith('/')) return !url.startsWith('//')
  return /^https?:\/\//i.test(url) && URL.canParse(url)
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== ''
}

function isListOfTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((item) => typeof item === 'string')
}

export function invalidOutcome(message: string, options?: ErrorOptions): ConverseError {
  return new ConverseError('invalid_outcome', message, options)
}
