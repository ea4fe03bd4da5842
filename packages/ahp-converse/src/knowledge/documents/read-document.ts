import { ConverseError } from '../../converse-error.js'
import { guessLanguage } from '../text/guess-language.js'
import { languageTag } from '../text/language.js'
import { tidy, type Outline } from './block.js'
import type { KnowledgeDocument } from './knowledge-document.js'
import { isPlace } from './is-place.js'
import { textOfBlock, type Passage } from './passage.js'
import { readHtml } from './read-html.js'
import { readMarkdown } from './read-markdown.js'
import { readRecord } from './read-record.js'
import { readText } from './read-text.js'
import { splitPassages } from './split-passages.js'

/** What is known of a document besides its passages. */
export interface DocumentSummary {
  readonly id: string
  readonly title: string
  readonly url?: string
  readonly description?: string
  /** BCP 47. */
  readonly language: string
}

export interface ReadDocument {
  readonly summary: DocumentSummary
  readonly passages: readonly Passage[]
}

export interface ReadOptions {
  /** Of documents that name none; undefined: by their script, else English. */
  readonly language: string | undefined
  readonly maxDocumentCharacters: number
}

const FACTS = ['id', 'url', 'title', 'language', 'description'] as const
const FORMATS = ['markdown', 'html', 'text', 'record']
const MAX_NAME_LENGTH = 300

/** Splits a document into its passages. Throws `invalid_document` and `document_too_large`. */
export function readDocument(document: KnowledgeDocument, options: ReadOptions): ReadDocument {
  checkFacts(document)
  const outline = read(document, options.maxDocumentCharacters)
  const url = document.url === undefined ? outlineUrl(outline) : checkUrl(document.url, document)
  const title = titleOf(document, outline)
  const id = document.id ?? url ?? title
  if (id === '') throw invalidDocument('A document needs an id, a url or a title')
  const description = document.description ?? outline.description
  const language = document.language === undefined ? undefined : checkLanguage(document.language, document)
  const facts = {
    id,
    ...(url !== undefined && { url }),
    language: language ?? languageOf(outline, title, options.language),
  }
  const note = description === undefined ? {} : { description: tidy(description) }
  return {
    summary: { ...facts, title: title === '' ? (url ?? id) : title, ...note },
    passages: splitPassages({ ...facts, title, parts: outline.parts }),
  }
}

function checkFacts(document: KnowledgeDocument): void {
  if (typeof (document as unknown) !== 'object' || (document as unknown) === null)
    throw invalidDocument('A document is an object such as { url, content }')
  for (const name of FACTS) {
    if (document[name] !== undefined && typeof (document[name] as unknown) !== 'string')
      throw invalidDocument(`The ${name} of ${called(document)} must be a string`)
  }
}

function read(document: KnowledgeDocument, maxCharacters: number): Outline {
  const { format = 'markdown', content } = document
  if (!FORMATS.includes(format))
    throw invalidDocument(`The format of ${called(document)} must be one of ${FORMATS.join(', ')}`)
  if (document.format === 'record') {
    if (typeof content !== 'object' || (content as unknown) === null || Array.isArray(content))
      throw invalidDocument(`The record ${called(document)} must be an object`)
    const outline = readRecord(document.content)
    const size = outline.parts.reduce(
      (sum, part) => sum + (part.kind === 'heading' ? 0 : textOfBlock(part).length),
      0,
    )
    checkSize(size, document, maxCharacters)
    return outline
  }
  if (typeof content !== 'string') throw invalidDocument(`The content of ${called(document)} must be a text`)
  checkSize(content.length, document, maxCharacters)
  if (format === 'html') return readHtml(content)
  return format === 'text' ? readText(content) : readMarkdown(content)
}

function checkSize(characters: number, document: KnowledgeDocument, maxCharacters: number): void {
  if (characters <= maxCharacters) return
  const message = `${called(document)} has more characters than maxDocumentCharacters, ${maxCharacters}`
  throw new ConverseError('document_too_large', message)
}

/** What tells a document from others in a message. */
function called({ id, url, title }: KnowledgeDocument): string {
  return JSON.stringify(id ?? url ?? title ?? 'a document without id, url and title')
}

function titleOf({ title }: KnowledgeDocument, outline: Outline): string {
  const heading = outline.parts.find((part) => part.kind === 'heading' && part.level === 1)
  const found = title ?? outline.title ?? (heading?.kind === 'heading' ? heading.text : undefined)
  return tidy(found ?? '').slice(0, MAX_NAME_LENGTH)
}

function languageOf(outline: Outline, title: string, configured: string | undefined): string {
  // Like an address: front matter and pages hold all kinds of things.
  const own = outline.language === undefined ? undefined : languageTag(outline.language)
  if (own !== undefined || configured !== undefined) return own ?? configured ?? ''
  const texts = outline.parts.map((part) => (part.kind === 'heading' ? part.text : textOfBlock(part)))
  return guessLanguage([title, ...texts.slice(0, 20)].join('\n')) ?? 'en'
}

/** Front matter that holds something else than a place on the web is no reason to refuse the text. */
function outlineUrl({ url }: Outline): string | undefined {
  return url !== undefined && isPlace(url) ? url : undefined
}

function checkUrl(url: string, document: KnowledgeDocument): string {
  if (isPlace(url)) return url
  throw invalidDocument(`The url of ${called(document)} must be a root-relative path or an http(s) URL`)
}

function checkLanguage(language: string, document: KnowledgeDocument): string {
  const tag = languageTag(language)
  if (tag !== undefined) return tag
  throw invalidDocument(`The language of ${called(document)} must be a BCP 47 tag, such as en-GB`)
}

function invalidDocument(message: string): ConverseError {
  return new ConverseError('invalid_document', message)
}
