import type { BodySink, BodySource } from './body-source.js'
import { SafeFetchError } from '../errors.js'

/** A body that ends with `response_too_large` at the first byte beyond `maxBytes`. `limitBytes` is what the error names. */
export class CountedBody implements BodySource, BodySink {
  readonly #source: BodySource
  readonly #maxBytes: number
  readonly #limitBytes: number
  #sink: BodySink | undefined
  #totalBytes = 0
  #isOver = false

  constructor(source: BodySource, maxBytes: number, limitBytes: number) {
    this.#source = source
    this.#maxBytes = maxBytes
    this.#limitBytes = limitBytes
  }

  read(sink: BodySink): void {
    this.#sink = sink
    this.#source.read(this)
  }

  pause(): void {
    this.#source.pause()
  }

  resume(): void {
    this.#source.resume()
  }

  readonly cancel = (reason: unknown): void => {
    this.#source.cancel(reason)
  }

  onData(chunk: Uint8Array): void {
    if (this.#isOver) return
    this.#totalBytes += chunk.byteLength
    if (this.#totalBytes <= this.#maxBytes) {
      this.#sink?.onData(chunk)
      return
    }
    this.#isOver = true
    const error = tooLarge(this.#limitBytes)
    this.#source.cancel(error)
    this.#sink?.onError(error)
  }

  onEnd(): void {
    if (!this.#isOver) this.#sink?.onEnd()
  }

  onError(reason: unknown): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#sink?.onError(reason)
  }
}

export function tooLarge(limitBytes: number): SafeFetchError {
  return new SafeFetchError('response_too_large', `The body is longer than ${limitBytes} bytes.`, {
    limitBytes,
  })
}
