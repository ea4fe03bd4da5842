import type { LlmsTxtContent, LlmsTxtLink } from '@doorplate/ahp-manifest'
import { ConverseError, invalidOption, unknownOption } from '../converse-error.js'
import type { Answerer } from '../outcome.js'
import { createExtractiveAnswerer } from './answer/extractive-answerer.js'
import type { Phrases } from './answer/phrases.js'
import type { KnowledgeDocument } from './documents/knowledge-document.js'
import { textOf, type Passage } from './documents/passage.js'
import { readDocument, type DocumentSummary } from './documents/read-document.js'
import { createBm25Retriever } from './index/bm25-retriever.js'
import { LanguageSet } from './index/language-set.js'
import type { Hit, Retriever } from './index/retriever.js'
import { primaryTag } from './text/language.js'

/** Options of `createKnowledge`. */
export interface KnowledgeOptions {
  /** What to know at first; read one after the other. Default: nothing. */
  readonly documents?: Iterable<KnowledgeDocument> | AsyncIterable<KnowledgeDocument>
  /** How passages are found. Default: `createBm25Retriever()`, in memory. */
  readonly retriever?: Retriever
  /** BCP 47: of documents that name no language, and what is said to visitors who name none. Default: by script, else `en`. */
  readonly language?: string
  /** What is said besides quotations, by primary language subtag; completes or replaces the built-in ones. */
  readonly phrases?: Readonly<Record<string, Partial<Phrases>>>
  /** Default: 5,000,000. */
  readonly maxDocumentCharacters?: number
  /** Over all documents. Default: 200,000. */
  readonly maxPassages?: number
  /** Of the passages of all documents together. Default: 200,000,000. */
  readonly maxCharacters?: number
}

/** Options of `retrieve`. */
export interface RetrieveOptions {
  /** Number of passages. Default: 10. */
  readonly limit?: number
  /** Only passages in this language. */
  readonly language?: string
  readonly signal?: AbortSignal
}

/** What a site knows, and answers from it without a model. */
export interface Knowledge {
  /** Quotes the passages that are about the question; asks back when two topics tie; says so when it found nothing. */
  readonly answer: Answerer
  readonly documents: readonly DocumentSummary[]
  /** Another number after every change: answers from before it may be wrong now. */
  readonly revision: number
  /** The best passages for a question, best first. */
  retrieve(query: string, options?: RetrieveOptions): Promise<readonly Hit[]>
  /** Takes a document in; one of the same id is replaced. @throws {ConverseError} `invalid_document`, `document_too_large`, `knowledge_full` */
  add(document: KnowledgeDocument): Promise<DocumentSummary>
  /** Forgets a document; false when there was none of that id. */
  remove(id: string): Promise<boolean>
  /** The documents with a `url`, for `llmsTxt()` of `@doorplate/ahp-manifest`. */
  llmsTxtContent(): LlmsTxtContent
}

interface Held {
  readonly summary: DocumentSummary
  readonly passageIds: readonly string[]
  readonly characters: number
}

const OPTIONS = [
  ...['documents', 'retriever', 'language', 'phrases'],
  ...['maxDocumentCharacters', 'maxPassages', 'maxCharacters'],
]
const MAX_RETRIEVED = 1000

/**
 * Reads, splits and indexes documents.
 * @throws {ConverseError} `invalid_option` before any work; `invalid_document`, `document_too_large` or `knowledge_full` for a document
 */
export async function createKnowledge(options: KnowledgeOptions = {}): Promise<Knowledge> {
  checkOptions(options)
  const { documents, retriever = createBm25Retriever(), language, phrases = {} } = options
  const maxDocumentCharacters = count('maxDocumentCharacters', options.maxDocumentCharacters, 5_000_000)
  const maxPassages = count('maxPassages', options.maxPassages, 200_000)
  const maxCharacters = count('maxCharacters', options.maxCharacters, 200_000_000)
  const languages = new LanguageSet()
  const held = new Map<string, Held>()
  let passageCount = 0
  let characterCount = 0
  let revision = 0
  let changing: Promise<unknown> = Promise.resolve()

  async function put(document: KnowledgeDocument): Promise<DocumentSummary> {
    const { summary, passages } = readDocument(document, { language, maxDocumentCharacters })
    const before = held.get(summary.id)
    const characters = passages.reduce((sum, passage) => sum + textOf(passage).length, 0)
    const passageTotal = passageCount + passages.length - (before?.passageIds.length ?? 0)
    const characterTotal = characterCount + characters - (before?.characters ?? 0)
    if (passageTotal > maxPassages) throw full(`${maxPassages} passages`)
    if (characterTotal > maxCharacters) throw full(`${maxCharacters} characters`)
    const ids = passages.map(({ id }) => id)
    for (const tag of tagsOf(passages)) await languages.load(tag)
    const gone = before?.passageIds.filter((id) => !ids.includes(id)) ?? []
    if (gone.length > 0) await retriever.remove(gone)
    await retriever.add(passages)
    held.set(summary.id, { summary, passageIds: ids, characters })
    revision++
    passageCount = passageTotal
    characterCount = characterTotal
    return summary
  }

  async function drop(id: string): Promise<boolean> {
    const before = held.get(id)
    if (before === undefined) return false
    held.delete(id)
    passageCount -= before.passageIds.length
    characterCount -= before.characters
    await retriever.remove(before.passageIds)
    revision++
    return true
  }

  /** Changes come one after the other, so that what is held and what is indexed stay the same. */
  function inTurn<Result>(change: () => Promise<Result>): Promise<Result> {
    const result = changing.then(change)
    changing = result.catch(() => undefined)
    return result
  }

  if (documents !== undefined) {
    for await (const document of documents) await put(document)
    await retriever.retain?.(new Set([...held.values()].flatMap(({ passageIds }) => passageIds)))
  }
  const summaries = (): DocumentSummary[] => [...held.values()].map(({ summary }) => summary)
  const answer = createExtractiveAnswerer({
    retriever,
    languages,
    documents: summaries,
    language: language ?? 'en',
    phrases,
  })
  return {
    answer,
    get documents() {
      return summaries()
    },
    get revision() {
      return revision
    },
    async retrieve(query, { limit = 10, language, signal } = {}) {
      signal?.throwIfAborted()
      const checked = count('limit', limit, 10, MAX_RETRIEVED)
      return retriever.search(query, {
        limit: checked,
        ...(language !== undefined && { language: primaryTag(language) }),
        ...(signal !== undefined && { signal }),
      })
    },
    add: (document) => inTurn(() => put(document)),
    remove: (id) => inTurn(() => drop(id)),
    llmsTxtContent: () => ({ sections: [{ title: 'Documents', links: summaries().flatMap(linkOf) }] }),
  }
}

function linkOf({ title, url, description }: DocumentSummary): LlmsTxtLink[] {
  return url === undefined ? [] : [{ title, url, ...(description !== undefined && { note: description }) }]
}

function tagsOf(passages: readonly Passage[]): Set<string> {
  return new Set(passages.map(({ language }) => language))
}

function full(limit: string): ConverseError {
  return new ConverseError('knowledge_full', `There would be more than ${limit}`)
}

function checkOptions(options: KnowledgeOptions): void {
  if (typeof (options as unknown) !== 'object') throw invalidOption('options', 'must be an object')
  if (isIterable(options)) throw invalidOption('options', 'must be an object with the documents as a member')
  const unknown = Object.keys(options).find((name) => !OPTIONS.includes(name))
  if (unknown !== undefined) throw unknownOption(unknown, OPTIONS)
  const { documents, retriever, language } = options
  if (documents !== undefined && !isIterable(documents)) {
    throw invalidOption('documents', 'must be a list of documents, such as loadDocuments(folder)')
  }
  for (const method of ['add', 'remove', 'search'] as const) {
    if (retriever !== undefined && typeof retriever[method] !== 'function') {
      throw invalidOption(`retriever.${method}`, 'must be a function')
    }
  }
  if (language !== undefined && !isLanguageTag(language))
    throw invalidOption('language', 'must be a BCP 47 tag')
}

function isIterable(value: unknown): boolean {
  return (
    typeof value === 'object' && value !== null && (Symbol.iterator in value || Symbol.asyncIterator in value)
  )
}

function isLanguageTag(tag: unknown): boolean {
  try {
    return typeof tag === 'string' && Intl.getCanonicalLocales(tag).length === 1
  } catch {
    return false
  }
}

function count(
  option: string,
  value: number | undefined,
  byDefault: number,
  maximum: number = Infinity,
): number {
  const number = value ?? byDefault
  if (Number.isSafeInteger(number) && number >= 1 && number <= maximum) return number
  const upper = maximum === Infinity ? '' : ` and at most ${maximum}`
  throw invalidOption(option, `must be a whole number of at least 1${upper}`)
}
