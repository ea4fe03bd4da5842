import { counted } from './counted.js'
import { budgetExceeded, isConformanceError, type ConformanceError } from './errors.js'
import type { Exchange, ProbeRequest, ProbeResponse, RequestFailure, RequestPort } from './request-port.js'
import { RunEnd } from './run-end.js'
import {
  checkOptionNames,
  checkOptionTypes,
  integerOption,
  invalidOption,
  MAX_TIMER_MS,
} from './validate-option.js'

/** A request as the log reports it when it is over. */
export interface LoggedRequest {
  readonly method: string
  readonly url: string
  readonly status?: number
  readonly failure?: string
  readonly bytes: number
  readonly duration_ms: number
}

/** Options of a `RequestLog`. */
export interface RequestLogOptions {
  /** Default 10 000. */
  readonly maxRequests?: number
  /** Bytes of all bodies together, those of bodies that were too long included. Default unlimited. */
  readonly maxTotalBytes?: number
  /** Bytes of one body. Default 2 097 152 (2 MiB). */
  readonly maxResponseBytes?: number
  /** Time from the creation of the log until its requests are cancelled. Default 120 000. */
  readonly deadlineMs?: number
  readonly signal?: AbortSignal
  /** The clock in milliseconds. Default `performance.now`. */
  readonly now?: () => number
  readonly onRequest?: (request: LoggedRequest) => void
}

/** Sends the requests of a run, reports and counts them, and stops them when a budget is used up. */
export class RequestLog {
  readonly #port: RequestPort
  readonly #maxRequests: number
  readonly #maxTotalBytes: number
  readonly #maxResponseBytes: number
  readonly #now: () => number
  readonly #onRequest: ((request: LoggedRequest) => void) | undefined
  readonly #end: RunEnd
  #started = 0
  #bytes = 0

  /**
   * @param port the way to the network; `followRedirects(hopOver(fetch), …)` makes one of a fetch
   * @throws {ConformanceError} `invalid_option`
   */
  constructor(port: RequestPort, options: RequestLogOptions = {}) {
    // A guarded fetch is a function as well, and would be given what it cannot read.
    if (typeof port !== 'function' || Object.hasOwn(port, 'request'))
      throw invalidOption(
        'port',
        'such as followRedirects(hopOver(fetch), headersFor, limits) makes of a fetch',
      )
    checkOptionTypes(options, { signal: 'signal', now: 'callback', onRequest: 'callback' })
    checkOptionNames(options, Object.keys(OPTION_NAMES))
    this.#port = port
    this.#maxRequests = integerOption('maxRequests', options.maxRequests, 10_000, 1)
    this.#maxTotalBytes = integerOption('maxTotalBytes', options.maxTotalBytes, Number.MAX_SAFE_INTEGER, 1)
    this.#maxResponseBytes = integerOption('maxResponseBytes', options.maxResponseBytes, 2_097_152, 1)
    const deadlineMs = integerOption('deadlineMs', options.deadlineMs, 120_000, 1, MAX_TIMER_MS)
    this.#now = options.now ?? (() => performance.now())
    this.#onRequest = options.onRequest
    this.#end = new RunEnd(deadlineMs, options.signal)
  }

  /** Aborted by the caller, or by the deadline with a `budget_exceeded` error. */
  get signal(): AbortSignal {
    return this.#end.signal
  }

  get count(): number {
    return this.#started
  }

  get bytes(): number {
    return this.#bytes
  }

  /**
   * Sends one request.
   *
   * @throws {ConformanceError} `budget_exceeded`, also for requests under way when the deadline passes
   * @throws the reason of the signal when the run is aborted
   */
  async send(request: ProbeRequest): Promise<Exchange> {
    this.signal.throwIfAborted()
    if (this.#started >= this.#maxRequests) {
      throw budgetExceeded('maxRequests', `The run has used up its ${counted(this.#maxRequests, 'request')}.`)
    }
    const remainingBytes = this.#maxTotalBytes - this.#bytes
    if (remainingBytes <= 0) throw this.#bytesExceeded()
    this.#started++
    const startedAt = this.#now()
    const maxResponseBytes = Math.min(this.#maxResponseBytes, remainingBytes)
    let response: ProbeResponse
    try {
      const asked = { ...request, signal: this.signal, maxResponseBytes }
      response = await this.#end.before(() => this.#port(asked))
    } catch (error) {
      return this.#failed(request, startedAt, maxResponseBytes, error)
    }
    const bytes = response.body.byteLength
    this.#bytes += bytes
    this.#report(request, startedAt, bytes, { status: response.status })
    // Requests under way at the same time know nothing of each other's bytes.
    if (this.#bytes > this.#maxTotalBytes) throw this.#bytesExceeded()
    return { ok: true, request, response }
  }

  /** Stops the clock. */
  close(): void {
    this.#end.close()
  }

  /** What a failure to respond means: a result, or the end of the run. */
  #failed(request: ProbeRequest, startedAt: number, maxResponseBytes: number, error: unknown): Exchange {
    const failure = describeFailure(error)
    const bytes = failure.code === 'response_too_large' ? maxResponseBytes : 0
    this.#bytes += bytes
    this.#report(request, startedAt, bytes, { failure: failure.code })
    this.signal.throwIfAborted()
    if (isConformanceError(error) && error.code === 'budget_exceeded') throw error
    if (bytes > 0 && this.#bytes >= this.#maxTotalBytes) throw this.#bytesExceeded()
    return { ok: false, request, failure }
  }

  #report(
    request: ProbeRequest,
    startedAt: number,
    bytes: number,
    result: Pick<LoggedRequest, 'status' | 'failure'>,
  ): void {
    if (this.#onRequest === undefined) return
    const { method = 'GET', url } = request
    this.#onRequest({ method, url, ...result, bytes, duration_ms: Math.round(this.#now() - startedAt) })
  }

  #bytesExceeded(): ConformanceError {
    return budgetExceeded('maxTotalBytes', `The run has used up its ${counted(this.#maxTotalBytes, 'byte')}.`)
  }
}

const OPTION_NAMES: Readonly<Record<keyof RequestLogOptions, true>> = {
  maxRequests: true,
  maxTotalBytes: true,
  maxResponseBytes: true,
  deadlineMs: true,
  signal: true,
  now: true,
  onRequest: true,
}

function describeFailure(error: unknown): RequestFailure {
  if (!(error instanceof Error)) return { code: 'network_error', message: 'The request failed.' }
  const code = (error as { code?: unknown }).code
  return { code: typeof code === 'string' ? code : 'network_error', message: error.message }
}
