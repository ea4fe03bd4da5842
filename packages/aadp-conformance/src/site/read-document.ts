import {
  isConformanceError,
  type Exchange,
  type ProbeRequest,
  type RequestLog,
} from '@doorplate/conformance-kit'

/** A document as a request gave it, decoded as far as that goes. */
export interface DocumentReading {
  /** The URL that was asked for. */
  readonly url: string
  readonly exchange: Exchange
  /** Absent without a response. */
  readonly status?: number
  /** Empty without a response. */
  readonly headers: Readonly<Record<string, string>>
  readonly bytes: Uint8Array
  readonly text: string
  /** What is wrong with the bytes, apart from their JSON. */
  readonly encodingFault?: string
  /** The parsed JSON; absent when it is none. */
  readonly data?: unknown
  readonly jsonFault?: string
}

/** Reads a JSON document. Every fault is part of the result. */
export async function readDocument(log: RequestLog, request: ProbeRequest): Promise<DocumentReading> {
  const exchange = await log.send(request)
  if (!exchange.ok) return { url: request.url, exchange, headers: {}, bytes: new Uint8Array(), text: '' }
  const { status, headers, body } = exchange.response
  const { text, encodingFault } = decode(body)
  return {
    url: request.url,
    exchange,
    status,
    headers,
    bytes: body,
    text,
    ...(encodingFault !== undefined && { encodingFault }),
    ...parse(text),
  }
}

/** The same for one of many documents: a used-up budget is a result too, so that what was read before still counts. */
export async function readWithinBudget(
  log: RequestLog,
  request: ProbeRequest,
): Promise<DocumentReading | { readonly cutShort: string }> {
  try {
    return await readDocument(log, request)
  } catch (error) {
    if (log.signal.aborted || !isConformanceError(error)) throw error
    return { cutShort: error.message }
  }
}

const STRICT = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
const LENIENT = new TextDecoder('utf-8')

/** RFC 8259, section 8.1: UTF-8 without a byte order mark. A reader may put up with the mark, so reading goes on. */
function decode(body: Uint8Array): Pick<DocumentReading, 'text' | 'encodingFault'> {
  try {
    const text = STRICT.decode(body)
    if (!text.startsWith('\ufeff')) return { text }
    return { text: text.slice(1), encodingFault: 'The body begins with a byte order mark.' }
  } catch {
    return { text: LENIENT.decode(body), encodingFault: 'The body is not UTF-8.' }
  }
}

function parse(text: string): Pick<DocumentReading, 'data' | 'jsonFault'> {
  try {
    return { data: JSON.parse(text) as unknown }
  } catch (error) {
    return { jsonFault: error instanceof Error ? error.message : 'The body is not JSON.' }
  }
}
