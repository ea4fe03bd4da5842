import type { Transform } from 'node:stream'

import type { BodySink, BodySource } from './body-source.js'
import type { CreateDecoder } from './content-decoders.js'
import { SafeFetchError } from '../errors.js'
import type { Lifetime } from '../lifetime/lifetime.js'

/**
 * A body with one content coding undone. A body of no bytes at all stays empty, whatever it is called; bytes after the
 * end of the coded data are not read. Decoding may outlast the connection, so it ends with the lifetime.
 */
export class DecodedBody implements BodySource, BodySink {
  readonly #source: BodySource
  readonly #createDecoder: CreateDecoder
  readonly #lifetime: Lifetime
  #sink: BodySink | undefined
  #decoder: Transform | undefined
  #isOver = false

  constructor(source: BodySource, createDecoder: CreateDecoder, lifetime: Lifetime) {
    this.#source = source
    this.#createDecoder = createDecoder
    this.#lifetime = lifetime
  }

  read(sink: BodySink): void {
    this.#sink = sink
    this.#lifetime.watch(this.onError)
    this.#source.read(this)
  }

  pause(): void {
    this.#decoder?.pause()
  }

  resume(): void {
    this.#decoder?.resume()
  }

  readonly cancel = (reason: unknown): void => {
    this.#stop()
    this.#source.cancel(reason)
  }

  onData(chunk: Uint8Array): void {
    if (this.#isOver) return
    this.#decoder ??= this.#startDecoder()
    if (!this.#decoder.write(chunk)) this.#source.pause()
  }

  onEnd(): void {
    if (this.#isOver) return
    if (this.#decoder) this.#decoder.end()
    else this.#finish()
  }

  readonly onError = (reason: unknown): void => {
    if (this.#isOver) return
    this.#stop()
    this.#sink?.onError(reason)
  }

  #startDecoder(): Transform {
    const decoder = this.#createDecoder()
    decoder.on('drain', () => {
      this.#source.resume()
    })
    decoder.on('data', (chunk: Uint8Array) => {
      if (!this.#isOver) this.#sink?.onData(chunk)
    })
    decoder.on('end', () => {
      this.#finish()
    })
    decoder.on('error', (cause) => {
      this.#fail(cause)
    })
    return decoder
  }

  #finish(): void {
    if (this.#isOver) return
    this.#stop()
    this.#sink?.onEnd()
  }

  #fail(cause: Error): void {
    if (this.#isOver) return
    this.#stop()
    const error = new SafeFetchError('decode_failed', 'The body does not match its content coding.', {
      cause,
    })
    this.#source.cancel(error)
    this.#sink?.onError(error)
  }

  /** Frees the decoder; nothing reaches the sink any more. */
  #stop(): void {
    this.#isOver = true
    this.#decoder?.destroy()
  }
}
