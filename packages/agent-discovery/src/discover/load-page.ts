import { decodeText } from '../http/decode-text.js'
import { identify } from '../kinds/identify.js'
import { isHtmlType, parseMediaType } from '../http/media-type.js'
import { HtmlScanner } from '../meta/html-scanner.js'
import type { ScannedHtml } from '../meta/scanned-html.js'
import { discard, readChunks, readPrefix, type BodyLimits } from '../http/read-body.js'
import { redactUrl } from '../url/redact-url.js'
import type { Budget } from '../probe/budget.js'
import type { ProbePolicy } from '../probe/probe-options.js'
import type { FoundDocument } from '../probe/probe-origin.js'
import { TextStream } from '../http/text-stream.js'
import { cleanText } from '../text/untrusted-text.js'

export interface PageOutcome {
  readonly finalUrl: string
  readonly state: 'read' | 'refused' | 'error'
  /** Why the page says less than it could. */
  readonly reasons: readonly string[]
  readonly status?: number
  readonly mediaType?: string
  readonly headers: readonly (readonly [string, string])[]
  /** Set for an HTML page. */
  readonly scanned?: ScannedHtml
  /** Set for anything else that has text. */
  readonly document?: FoundDocument
  /** The whole text, where it was to be kept. */
  readonly text?: string
  readonly bytes: number
  readonly truncated: boolean
  /** What went wrong, for `error`: what, where and what to do. */
  readonly message?: string
  readonly cause?: unknown
}

export interface LoadPageOptions {
  readonly policy: ProbePolicy
  readonly budget: Budget
  readonly headers: Readonly<Record<string, string>>
  readonly maxPageBytes: number
  readonly pageTimeoutMs: number
  /** Keep the page's text. Default false: an HTML page is read and forgotten. */
  readonly keepText?: boolean
  /** The `Accept` field. Default: HTML first. */
  readonly accept?: string
}

const ACCEPT =
  'text/html, application/xhtml+xml;q=0.9, application/json;q=0.8, text/markdown;q=0.7, */*;q=0.5'

/** Fetches the page, following redirects as the transport allows, and reads it in one pass. Any failure is an outcome. */
export async function loadPage(url: string, options: LoadPageOptions): Promise<PageOutcome> {
  const { policy, budget, headers, pageTimeoutMs } = options
  const stopped = budget.takeRequest()
  if (stopped) return failed(url, stopped)
  const timeout = AbortSignal.timeout(Math.ceil(Math.min(pageTimeoutMs, budget.remainingMs)))
  const signal = policy.signal ? AbortSignal.any([policy.signal, timeout]) : timeout
  try {
    const response = await policy.fetch(url, {
      headers: { accept: options.accept ?? ACCEPT, ...policy.headers, ...headers },
      signal,
      redirect: 'follow',
    })
    const page = await readPage(url, response, options, signal)
    policy.signal?.throwIfAborted()
    return page
  } catch (error) {
    policy.signal?.throwIfAborted()
    if (timeout.aborted) return failed(url, 'timeout', error)
    const code: unknown =
      typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined
    return failed(url, code === 'blocked' ? 'blocked-by-policy' : 'network-error', error)
  }
}

function failed(url: string, reason: string, cause?: unknown): PageOutcome {
  const message = `The page ${redactUrl(url).url} was not fetched: ${explanation(url, reason, cause)}`
  const outcome = { state: 'error' as const, reasons: [reason], message: cleanText(message, 600) }
  return { finalUrl: url, ...outcome, headers: [], bytes: 0, truncated: false, cause }
}

function explanation(url: string, reason: string, cause: unknown): string {
  const told = cause instanceof Error ? cause.message : 'no answer came.'
  if (reason === 'timeout')
    return 'it took too long. The options pageTimeoutMs and deadlineMs give it more time.'
  if (reason === 'network-error') return told
  if (reason !== 'blocked-by-policy') return `${reason}. The limits of the discovery were used up.`
  const host = JSON.stringify(new URL(url).host)
  return `${told} By default only public addresses and ports are asked; if you trust this host, pass fetch: createSafeFetch({ dangerouslyAllow: [${host}] }).`
}

async function readPage(
  url: string,
  response: Response,
  options: LoadPageOptions,
  signal: AbortSignal,
): Promise<PageOutcome> {
  const { policy, budget, maxPageBytes } = options
  const finalUrl = response.url === '' ? url : response.url
  const { status } = response
  const mediaType = parseMediaType(response.headers.get('content-type'))?.essence
  budget.heed(response)
  const shared = {
    finalUrl,
    status,
    headers: [...response.headers],
    state: response.ok ? ('read' as const) : ('refused' as const),
    reasons: response.ok ? [] : [`status-${status}`],
    ...(mediaType !== undefined && { mediaType }),
  }
  if (!response.ok) {
    discard(response)
    return { ...shared, bytes: 0, truncated: false }
  }
  const html = mediaType === undefined || isHtmlType(mediaType)
  const limits = { takeBytes: (wanted: number): number => budget.takeBytes(wanted), signal }
  const body = html
    ? await readHtml(response, finalUrl, { maxBytes: maxPageBytes, ...limits }, options.keepText === true)
    : await readDocument(response, finalUrl, {
        maxBytes: Math.min(maxPageBytes, policy.maxDocumentBytes),
        ...limits,
      })
  return { ...shared, ...body }
}

type PageBody = Pick<PageOutcome, 'bytes' | 'truncated' | 'scanned' | 'document' | 'text'>

/** Feeds the scanner while bytes arrive; without `keepText` none of them are kept. */
async function readHtml(
  { body, headers }: Response,
  url: string,
  limits: BodyLimits,
  keepText: boolean,
): Promise<PageBody> {
  const scanner = new HtmlScanner({ url, maxLength: limits.maxBytes })
  const stream = new TextStream(headers.get('content-type'))
  const pieces: string[] = []
  const add = (piece: string): void => {
    scanner.write(piece)
    if (keepText) pieces.push(piece)
  }
  let bytes = 0
  const extent = await readChunks(body, limits, (chunk) => {
    bytes += chunk.byteLength
    add(stream.write(chunk))
  }).catch(() => undefined) // A body that breaks off: what came of it counts.
  add(stream.end())
  const truncated = extent?.truncated ?? true
  return { bytes, truncated, scanned: scanner.end(), ...(keepText && { text: pieces.join('') }) }
}

async function readDocument({ body, headers }: Response, url: string, limits: BodyLimits): Promise<PageBody> {
  const { bytes, truncated } = await readPrefix(body, limits)
  const contentType = headers.get('content-type')
  const text = decodeText(bytes, contentType)
  const identification = identify({ text, url, mediaType: parseMediaType(contentType)?.essence })
  return { bytes: bytes.byteLength, truncated, text, document: { url, text, identification } }
}
