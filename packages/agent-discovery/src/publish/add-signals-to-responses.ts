import { BODY_FIELDS, type BodyChange } from '@doorplate/ahp-manifest/page'
import {
  amendResponse,
  checkSignals,
  fieldsOf,
  type Amendment,
  type RequestLine,
  type SignalsToAdd,
} from './amend-response.js'
import type { SiteDocument } from './site-description.js'

/** What the middleware needs of an `IncomingMessage` of node:http or of what frameworks make of it. */
export interface NodeRequest {
  readonly method?: string | undefined
  readonly url?: string | undefined
  /** Where a framework strips the prefix of a mounted router. */
  readonly originalUrl?: string
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
}

/** What the middleware needs of a `ServerResponse` of node:http or of what frameworks make of it. */
export interface NodeResponse {
  readonly headersSent: boolean
  statusCode: number
  statusMessage?: string
  getHeader(name: string): number | string | readonly string[] | undefined
  getHeaderNames(): readonly string[]
  setHeader(name: string, value: number | string | readonly string[]): unknown
  removeHeader(name: string): unknown
  writeHead(...parameters: never[]): unknown
  write(...parameters: never[]): boolean
  end(...parameters: never[]): unknown
}

/**
 * A middleware for node:http, Express and the like that does what `withSiteSignals` does, however the application answers.
 * Belongs before everything that answers, and inside of what compresses. Called without `next` it only prepares the
 * response.
 *
 * @throws {AgentDiscoveryError} `invalid_option`
 */
export function addSignalsToResponses(
  signals: SignalsToAdd,
): (request: NodeRequest, response: NodeResponse, next?: () => void) => void {
  checkSignals(signals)
  return (request, response, next) => {
    if (!response.headersSent) intercept(response, requestLine(request), signals)
    next?.()
  }
}

function requestLine({ method = 'GET', url = '/', originalUrl = url, headers }: NodeRequest): RequestLine {
  const ifNoneMatch = headers['if-none-match']
  const path = originalUrl.startsWith('/') ? originalUrl : pathOfUrl(originalUrl)
  return {
    method,
    path: path.replace(/[?#].*$/s, ''),
    ifNoneMatch: ifNoneMatch === undefined ? null : String(ifNoneMatch),
  }
}

/** A request to a proxy names the whole URL. */
function pathOfUrl(url: string): string {
  return URL.canParse(url) ? new URL(url).pathname : ''
}

type Untyped = (...parameters: unknown[]) => unknown

/** Every way of answering passes `writeHead`, `write` or `end`: the first of them decides what becomes of the response. */
function intercept(response: NodeResponse, request: RequestLine, signals: SignalsToAdd): void {
  const original = {
    writeHead: response.writeHead.bind(response) as Untyped,
    write: response.write.bind(response) as Untyped,
    end: response.end.bind(response) as Untyped,
  }
  let isDecided = false
  let change: BodyChange | undefined
  let instead: SiteDocument | undefined
  const decide = (status: number): void => {
    isDecided = true
    ;({ change, instead } = amendFields(response, request, status, signals))
  }

  response.writeHead = (...parameters: unknown[]) => {
    if (isDecided) return original.writeHead(...parameters)
    const [status, reason] = parameters
    const given = typeof reason === 'string' ? parameters[2] : reason
    if (!isFieldList(given)) return original.writeHead(...parameters)
    setFields(response, given)
    decide(Number(status))
    if (instead) return original.writeHead(200)
    return original.writeHead(status, ...(typeof reason === 'string' ? [reason] : []))
  }

  response.write = (...parameters: unknown[]) => {
    const { bytes, callback } = bodyOf(parameters)
    if (bytes === undefined) return original.write(...parameters) as boolean
    if (!isDecided) decide(response.statusCode)
    if (!change && !instead) return original.write(...parameters) as boolean
    const piece = change ? joined(change.write(bytes)) : EMPTY
    if (piece.length > 0) return original.write(piece, callback) as boolean
    if (callback) queueMicrotask(callback)
    return true
  }

  response.end = (...parameters: unknown[]) => {
    const { bytes, callback } = bodyOf(parameters)
    const isNoBody = bytes === undefined && typeof (parameters[0] ?? undefined) === 'object'
    if (isNoBody) return original.end(...parameters)
    const isWhole = !isDecided && request.method !== 'HEAD'
    if (!isDecided) decide(response.statusCode)
    if (instead) return original.end(instead.body, callback)
    if (!change) return original.end(...parameters)
    const rest = joined([...change.write(bytes ?? EMPTY), ...change.end()])
    if (rest.length === 0) return original.end(callback)
    if (isWhole) response.setHeader('Content-Length', rest.length)
    return original.end(rest, callback)
  }
}

const EMPTY = new Uint8Array(0)

/** Amends the fields that are set so far. */
function amendFields(
  response: NodeResponse,
  request: RequestLine,
  status: number,
  signals: SignalsToAdd,
): Amendment {
  const names = ['Link', ...BODY_FIELDS]
  const headers = new Headers()
  for (const name of names) for (const value of toList(response.getHeader(name))) headers.append(name, value)
  const before = new Headers(headers)
  const amendment = amendResponse(request, { status, headers }, signals)
  if (amendment.instead) describeDocument(response, amendment.instead, signals)
  else for (const name of names) setIfOther(response, name, before.get(name), headers.get(name))
  return amendment
}

function describeDocument(response: NodeResponse, document: SiteDocument, signals: SignalsToAdd): void {
  for (const name of response.getHeaderNames()) response.removeHeader(name)
  response.statusCode = 200
  if (Object.hasOwn(response, 'statusMessage')) response.statusMessage = 'OK'
  for (const [name, value] of Object.entries(fieldsOf(document, signals))) response.setHeader(name, value)
  response.setHeader('Content-Length', new TextEncoder().encode(document.body).length)
}

function setIfOther(response: NodeResponse, name: string, before: string | null, after: string | null): void {
  if (before === after) return
  if (after === null) response.removeHeader(name)
  else response.setHeader(name, after)
}

/** Header fields as `writeHead` takes them: an object or a flat list. */
function isFieldList(given: unknown): given is object | undefined {
  if (given === undefined || given === null) return true
  return typeof given === 'object' && (!Array.isArray(given) || given.length % 2 === 0)
}

/** As `writeHead` would: what it is given replaces what was set before. */
function setFields(response: NodeResponse, given: object | undefined): void {
  const fields = new Map<string, { readonly name: string; readonly values: string[] }>()
  const pairs: unknown[] = Array.isArray(given) ? given : Object.entries(given ?? {}).flat(1)
  for (let index = 0; index < pairs.length; index += 2) {
    const name = String(pairs[index])
    const field = fields.get(name.toLowerCase()) ?? { name, values: [] }
    field.values.push(...toList(pairs[index + 1]))
    if (name !== '') fields.set(name.toLowerCase(), field)
  }
  for (const { name, values } of fields.values()) {
    const [first] = values
    if (first !== undefined) response.setHeader(name, values.length === 1 ? first : values)
  }
}

function toList(value: unknown): string[] {
  if (value === undefined || value === null) return []
  return (Array.isArray(value) ? (value as unknown[]) : [value]).map(String)
}

/** The parameters of `write` and `end`: a chunk, its encoding and a callback, each of which may be left out. */
function bodyOf(parameters: readonly unknown[]): {
  readonly bytes: Uint8Array | undefined
  readonly callback: (() => void) | undefined
} {
  const [chunk, encoding] = parameters
  const callback = parameters.find((parameter) => typeof parameter === 'function') as (() => void) | undefined
  if (chunk instanceof Uint8Array) return { bytes: chunk, callback }
  if (typeof chunk !== 'string') return { bytes: undefined, callback }
  return {
    bytes: Buffer.from(chunk, typeof encoding === 'string' ? (encoding as BufferEncoding) : 'utf8'),
    callback,
  }
}

function joined(pieces: readonly Uint8Array[]): Uint8Array {
  return pieces.length === 1 ? (pieces[0] ?? EMPTY) : Buffer.concat(pieces)
}
