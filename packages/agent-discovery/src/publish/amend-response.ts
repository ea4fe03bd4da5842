import {
  describeChangedBody,
  isPlainBody,
  PageInserter,
  weakenKnownTag,
  type BodyChange,
} from '@doorplate/ahp-manifest/page'
import { checkOptionNames, type MemberNames } from '../options/check-option-names.js'
import { checkOption, isAbsentOr, isRecord, isTexts } from '../options/check-option.js'
import type { SiteDocument, SiteSignals } from './site-description.js'
import { robotsAppendix } from './robots-appendix.js'

/** What is added to responses: all signals of `describeSite`, or some of them. */
export type SignalsToAdd = Partial<
  Pick<SiteSignals, 'linkHeader' | 'htmlHead' | 'htmlNotice' | 'robotsLines' | 'documents'>
>

const SIGNAL_NAMES: MemberNames<SiteSignals> = {
  linkHeader: true,
  htmlHead: true,
  htmlNotice: true,
  llmsTxt: true,
  apiCatalog: true,
  ard: true,
  robotsLines: true,
  documents: true,
}

export interface RequestLine {
  readonly method: string
  /** Without a query. */
  readonly path: string
  readonly ifNoneMatch: string | null
}

/** What becomes of the body of a response. */
export interface Amendment {
  readonly change?: BodyChange
  /** The application has nothing there: this is sent instead, with status 200. */
  readonly instead?: SiteDocument
}

/** @throws {AgentDiscoveryError} `invalid_option` */
export function checkSignals(signals: SignalsToAdd): void {
  checkOptionNames(signals, SIGNAL_NAMES, 'signals')
  for (const name of ['linkHeader', 'htmlHead', 'htmlNotice', 'robotsLines'] as const)
    checkOption(`signals.${name}`, isAbsentOr('string', signals[name]), 'a text')
  const documents: unknown = signals.documents ?? []
  const isDocuments = Array.isArray(documents) && Array.from(documents as unknown[]).every(isDocument)
  checkOption('signals.documents', isDocuments, 'a list of documents with path, contentType and body')
}

function isDocument(value: unknown): boolean {
  return isRecord(value) && isTexts([value['path'], value['contentType'], value['body']])
}

/** Adds the signals to the header fields of a response, and says what becomes of its body. */
export function amendResponse(
  request: RequestLine,
  response: { readonly status: number; readonly headers: Headers },
  signals: SignalsToAdd,
): Amendment {
  const { linkHeader = '', htmlHead = '', htmlNotice = '', robotsLines = '' } = signals
  const { headers } = response
  const instead = documentInstead(request, response, signals)
  if (instead) return { instead }
  if (linkHeader !== '' && headers.get('link')?.includes(linkHeader) !== true)
    headers.append('link', linkHeader)
  if (robotsLines !== '' && request.path === '/robots.txt' && isFound(response, 'text/plain'))
    return changed(headers, robotsAppendix(robotsLines))
  if (htmlHead + htmlNotice !== '' && isPlainBody(response, 'text/html')) {
    const head = htmlHead === '' ? [] : htmlHead.split('\n')
    return changed(headers, new PageInserter({ head, notice: htmlNotice }))
  }
  if (response.status === 304) weakenKnownTag(headers, request.ifNoneMatch)
  return {}
}

/** The fields of a document that is sent instead: nothing that describes the answer of the application fits it. */
export function fieldsOf(
  { contentType }: SiteDocument,
  { linkHeader = '' }: SignalsToAdd,
): Readonly<Record<string, string>> {
  return { 'Content-Type': contentType, ...(linkHeader !== '' && { Link: linkHeader }) }
}

function isFound(response: { readonly status: number; readonly headers: Headers }, type: string): boolean {
  return response.status === 200 && isPlainBody(response, type)
}

function changed(headers: Headers, change: BodyChange): Amendment {
  describeChangedBody(headers)
  return { change }
}

/** What the application has at the path of a document counts, unless it is nothing: an error for it, or a page. */
function documentInstead(
  { method, path }: RequestLine,
  { status, headers }: { readonly status: number; readonly headers: Headers },
  { documents = [] }: SignalsToAdd,
): SiteDocument | undefined {
  if (method !== 'GET' && method !== 'HEAD') return undefined
  const isPage = /^\s*(?:text\/html|application\/xhtml\+xml)\b/i.test(headers.get('content-type') ?? '')
  const isNothing = status === 404 || status === 410 || (status >= 200 && status < 300 && isPage)
  return isNothing ? documents.find((document) => document.path === path) : undefined
}
