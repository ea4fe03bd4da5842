import { setMaxListeners } from 'node:events'
import { counted } from './counted.js'
import { ConformanceError, isConformanceError } from './errors.js'
import {
  checkOptionNames,
  checkOptionTypes,
  integerOption,
  invalidOption,
  MAX_TIMER_MS,
} from './validate-option.js'

/** One request of a run. */
export interface ProbeRequest {
  readonly url: string
  /** Default `GET`. */
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  /** `manual` gives a redirect back as it is. Default `follow`. */
  readonly redirect?: 'follow' | 'manual'
}

/** A response as checks see it. */
export interface ProbeResponse {
  /** The final URL. */
  readonly url: string
  readonly redirected: boolean
  readonly status: number
  /** Lower-case names, repeated fields joined by `, `. */
  readonly headers: Readonly<Record<string, string>>
  /** The decoded bytes. */
  readonly body: Uint8Array
  /** True when a content coding was undone, so that the bytes on the wire were others. */
  readonly isDecoded?: boolean
}

/**
 * The one way to the network. Resolves whatever the status is, rejects with an error that has a `code` when there is
 * no whole response, with a `budget_exceeded` error when the site gives no more, and with the signal's reason when it
 * is aborted.
 */
export type RequestPort = (
  request: ProbeRequest & { readonly signal: AbortSignal; readonly maxResponseBytes: number },
) => Promise<ProbeResponse>

/** A request with what became of it. A failure to respond is a result like any other. */
export type Exchange =
  | { readonly ok: true; readonly request: ProbeRequest; readonly response: ProbeResponse }
  | { readonly ok: false; readonly request: ProbeRequest; readonly failure: RequestFailure }

/** Why there is no response. */
export interface RequestFailure {
  /** The code of the transport's error, or `network_error`. */
  readonly code: string
  readonly message: string
}

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
  readonly #deadline = new AbortController()
  readonly #timer: NodeJS.Timeout
  /** Those who wait for a response, to be told of the end of the run: one listener serves them all. */
  readonly #waiting = new Set<(reason: unknown) => void>()
  #started = 0
  #bytes = 0
  /** Aborted by the caller, or by the deadline with a `budget_exceeded` error. */
  readonly signal: AbortSignal

  /** @throws {ConformanceError} `invalid_option` */
  constructor(port: RequestPort, options: RequestLogOptions = {}) {
    if (typeof port !== 'function') throw invalidOption('port', 'a function')
    checkOptionTypes(options, { signal: 'signal', now: 'callback', onRequest: 'callback' })
    checkOptionNames(options, Object.keys(OPTION_NAMES))
    this.#port = port
    this.#maxRequests = integerOption('maxRequests', options.maxRequests, 10_000, 1)
    this.#maxTotalBytes = integerOption('maxTotalBytes', options.maxTotalBytes, Number.MAX_SAFE_INTEGER, 1)
    this.#maxResponseBytes = integerOption('maxResponseBytes', options.maxResponseBytes, 2_097_152, 1)
    const deadlineMs = integerOption('deadlineMs', options.deadlineMs, 120_000, 1, MAX_TIMER_MS)
    this.#now = options.now ?? (() => performance.now())
    this.#onRequest = options.onRequest
    const { signal } = this.#deadline
    this.signal = options.signal === undefined ? signal : AbortSignal.any([options.signal, signal])
    // Every request under way listens, and how many those are is up to the checks.
    setMaxListeners(0, this.signal)
    this.#timer = setTimeout(() => {
      this.#deadline.abort(budgetExceeded('deadlineMs', `The run has used up its ${deadlineMs} ms.`))
    }, deadlineMs)
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
      response = await this.#ask({ ...request, signal: this.signal, maxResponseBytes })
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
    clearTimeout(this.#timer)
  }

  /** Asks the port, and stops waiting at the end of the run even if the port does not. */
  async #ask(request: Parameters<RequestPort>[0]): Promise<ProbeResponse> {
    let stopWaiting: (reason: unknown) => void = () => undefined
    try {
      return await new Promise<ProbeResponse>((resolve, reject) => {
        stopWaiting = reject
        this.#watch(reject)
        this.#port(request).then(resolve, reject)
      })
    } finally {
      this.#unwatch(stopWaiting)
    }
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

  #watch(stopWaiting: (reason: unknown) => void): void {
    if (this.#waiting.size === 0) this.signal.addEventListener('abort', this.#stopAll)
    this.#waiting.add(stopWaiting)
  }

  #unwatch(stopWaiting: (reason: unknown) => void): void {
    this.#waiting.delete(stopWaiting)
    if (this.#waiting.size === 0) this.signal.removeEventListener('abort', this.#stopAll)
  }

  readonly #stopAll = (): void => {
    for (const stopWaiting of this.#waiting) stopWaiting(this.signal.reason)
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

export function budgetExceeded(budget: string, message: string): ConformanceError {
  return new ConformanceError('budget_exceeded', message, { budget })
}

function describeFailure(error: unknown): RequestFailure {
  if (!(error instanceof Error)) return { code: 'network_error', message: 'The request failed.' }
  const code = (error as { code?: unknown }).code
  return { code: typeof code === 'string' ? code : 'network_error', message: error.message }
}
