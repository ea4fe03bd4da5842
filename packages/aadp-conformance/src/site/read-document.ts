import {
  isConformanceError,
  type Exchange,
  type ProbeRequest,
  type RequestLog,
} from '@doorplate/conformance-kit'
import { decodeText } from '../decode-text.js'

/** A document as a request gave it, decoded as far as that goes. */
export interface DocumentReading {
  /** The URL that was asked for. */
  readonly url: string
  readonly exchange: Exchange
  /** Undefined without a response. */
  readonly status: number | undefined
  /** Empty without a response. */
  readonly headers: Readonly<Record<string, string>>
  readonly bytes: Uint8Array
  readonly text: string
  /** What is wrong with the bytes, apart from their JSON. */
  readonly encodingFault: string | undefined
  /** The parsed JSON; undefined when it is none. */
  readonly data: unknown
  readonly jsonFault: string | undefined
}

/** Reads a JSON document. Every fault is part of the result. */
export async function readDocument(log: RequestLog, request: ProbeRequest): Promise<DocumentReading> {
  const { url } = request
  const exchange = await log.send(request)
  if (!exchange.ok) return { ...NOTHING_READ, url, exchange }
  const { status, headers, body } = exchange.response
  const { text, encodingFault } = decodeText(body)
  const { data, jsonFault } = parse(text)
  return { url, exchange, status, headers, bytes: body, text, encodingFault, data, jsonFault }
}

const NOTHING_READ: Omit<DocumentReading, 'url' | 'exchange'> = {
  status: undefined,
  headers: {},
  bytes: new Uint8Array(),
  text: '',
  encodingFault: undefined,
  data: undefined,
  jsonFault: undefined,
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

function parse(text: string): Pick<DocumentReading, 'data' | 'jsonFault'> {
  try {
    return { data: JSON.parse(text) as unknown, jsonFault: undefined }
  } catch (error) {
    return { data: undefined, jsonFault: error instanceof Error ? error.message : 'The body is not JSON.' }
  }
}
