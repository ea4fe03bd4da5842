import type { Dispatcher } from 'undici'

import type { BodySink, BodySource } from '../body/body-source.js'
import { atUrl } from '../guard/at-url.js'
import { SafeFetchError } from '../errors.js'
import type { Connection, GuardedDispatchOptions } from '../guard/guarded-dispatcher.js'
import type { HeaderList, RawHeaders } from '../header-list.js'
import type { Lifetime } from '../lifetime/lifetime.js'
import type { Policy } from '../options/options.js'
import type { HopDispatcher } from '../guard/origin-pools.js'
import type { HopBody } from '../body/request-body.js'
import { transportError } from '../guard/transport-error.js'

/** Bytes that may wait for a reader before the socket is paused. */
const MAX_WAITING_BYTES = 65_536

/** What is left unread of a body nobody wants is read up to here, so that the connection can be used again. */
const MAX_DISCARDED_BYTES = 65_536

/** Interim (1xx) responses to one request; each comes with a header block of its own. */
const MAX_INTERIM_RESPONSES = 100

export interface HopRequest {
  readonly url: URL
  readonly method: string
  readonly headers: HeaderList
  readonly body: HopBody | null
}

export interface HopContext {
  readonly dispatcher: HopDispatcher
  readonly policy: Policy
  readonly lifetime: Lifetime
}

/** One request and its response on one connection: nothing is followed, decoded or limited here. */
export class Hop implements Dispatcher.DispatchHandler, BodySource {
  status = 0
  statusText = ''
  headers: RawHeaders = {}
  readonly #request: HopRequest
  readonly #context: HopContext
  readonly #headersLifetime: Lifetime | undefined
  #settle: { resolve(hop: Hop): void; reject(reason: unknown): void } | undefined
  #connection: Connection | undefined
  #controller: Dispatcher.DispatchController | undefined
  #state: 'waiting' | 'open' | 'ended' | 'failed' = 'waiting'
  #failure: unknown
  #sink: BodySink | undefined
  #waiting: Uint8Array[] = []
  #waitingBytes = 0
  #interimCount = 0

  /** `headersLifetime`, if any, ends what has no headers by then; the context's lifetime ends it at any time. */
  constructor(request: HopRequest, context: HopContext, headersLifetime: Lifetime | undefined) {
    this.#request = request
    this.#context = context
    this.#headersLifetime = headersLifetime
  }

  /** Sends the request, once; resolves when the final status line and headers are here. */
  send(): Promise<Hop> {
    return new Promise((resolve, reject) => {
      this.#settle = { resolve, reject }
      try {
        this.#dispatch()
      } catch (error) {
        throw atUrl(error, this.#request.url, this.#context.lifetime)
      }
    })
  }

  /** The far end of the connection, once there is one. */
  get remoteAddress(): string | undefined {
    return this.#connection?.socket?.remoteAddress
  }

  /** Hands over the body, first what has arrived already. */
  read(sink: BodySink): void {
    this.#sink = sink
    for (const chunk of this.#takeWaiting()) sink.onData(chunk)
    if (this.#state === 'ended') sink.onEnd()
    else if (this.#state === 'failed') sink.onError(this.#failure)
    else this.#controller?.resume()
  }

  pause(): void {
    this.#controller?.pause()
  }

  resume(): void {
    if (this.#state === 'open') this.#controller?.resume()
  }

  /** Drops the body; a long one takes the connection with it. */
  discard(): void {
    let discardedBytes = 0
    this.read({
      onData: (chunk) => {
        discardedBytes += chunk.byteLength
        if (discardedBytes > MAX_DISCARDED_BYTES) this.cancel(undefined)
      },
      onEnd: () => undefined,
      onError: () => undefined,
    })
  }

  /** Ends the hop and its connection; whoever waits for it is told the reason. */
  readonly cancel = (reason: unknown): void => {
    if (!this.#fail(atUrl(reason, this.#request.url, this.#context.lifetime))) return
    if (this.#controller) this.#controller.abort(CANCELLED)
    else this.#connection?.socket?.destroy(CANCELLED)
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller
    if (this.#state === 'failed') controller.abort(CANCELLED)
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: RawHeaders,
    statusText = '',
  ): void {
    if (status < 200) {
      this.#countInterim()
      return
    }
    this.status = status
    this.statusText = statusText
    this.headers = headers
    this.#state = 'open'
    this.#headersLifetime?.unwatch(this.cancel)
    this.#settle?.resolve(this)
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Uint8Array): void {
    if (this.#sink) {
      this.#sink.onData(chunk)
      return
    }
    this.#waiting.push(chunk)
    this.#waitingBytes += chunk.byteLength
    if (this.#waitingBytes > MAX_WAITING_BYTES) controller.pause()
  }

  onResponseEnd(): void {
    if (this.#state !== 'open') return
    this.#state = 'ended'
    this.#context.lifetime.unwatch(this.cancel)
    this.#request.body?.cancel(undefined)
    this.#sink?.onEnd()
  }

  onResponseError(
    _controller: Dispatcher.DispatchController,
    error: Error & { readonly code?: string },
  ): void {
    // A 304 may declare the length of the body it does not have (RFC 9110, section 8.6), and some servers do so in a 204;
    // undici takes that for a cut.
    if (
      (this.status === 304 || this.status === 204) &&
      error.code === 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH'
    ) {
      this.onResponseEnd()
      return
    }
    this.#fail(transportError(error, this.#request.url, this.#state === 'open', this.#context.policy))
  }

  #dispatch(): void {
    const { url, method, headers, body } = this.#request
    const { origin } = url
    const options: GuardedDispatchOptions = {
      origin,
      path: requestTarget(url.href, origin),
      method,
      headers: flatten(headers),
      body: body?.send() ?? null,
      onConnection: (connection) => {
        this.#connection = connection
      },
    }
    this.#context.lifetime.watch(this.cancel)
    this.#headersLifetime?.watch(this.cancel)
    if (this.#state === 'waiting') this.#context.dispatcher.dispatch(options, this)
  }

  #countInterim(): void {
    this.#interimCount++
    if (this.#interimCount <= MAX_INTERIM_RESPONSES) return
    this.cancel(
      new SafeFetchError('malformed_response', `More than ${MAX_INTERIM_RESPONSES} interim responses.`),
    )
  }

  /** True if the hop was still under way. */
  #fail(reason: unknown): boolean {
    const state = this.#state
    if (state === 'ended' || state === 'failed') return false
    this.#state = 'failed'
    this.#failure = reason
    this.#context.lifetime.unwatch(this.cancel)
    this.#headersLifetime?.unwatch(this.cancel)
    this.#request.body?.cancel(reason)
    if (state === 'waiting') this.#settle?.reject(reason)
    else this.#sink?.onError(reason)
    return true
  }

  #takeWaiting(): readonly Uint8Array[] {
    const waiting = this.#waiting
    this.#waiting = []
    return waiting
  }
}

/** Path and query, of a URL without userinfo; an empty query keeps its question mark, because the URL with it is another. */
function requestTarget(href: string, origin: string): string {
  const fragmentAt = href.indexOf('#')
  return href.slice(origin.length, fragmentAt < 0 ? undefined : fragmentAt)
}

/** `headers.flat()` at a fraction of its time. */
function flatten(headers: HeaderList): string[] {
  const flat: string[] = []
  for (const [name, value] of headers) flat.push(name, value)
  return flat
}

const CANCELLED: Error = new Error('cancelled')
