import type { BodySource } from './body-source.js'

/**
 * Reads a body to its end, into memory of its own; resolves to what `finish` makes of it. Ends it with what `onBytes` throws,
 * which is told of the length of each chunk.
 */
export function collectBody<Result>(
  body: BodySource,
  finish: (bytes: Uint8Array) => Result,
  onBytes?: (count: number) => void,
): Promise<Result> {
  return new Promise((resolve, reject) => {
    const bytes = new GrowingBytes()
    body.read({
      onData: (chunk) => {
        try {
          onBytes?.(chunk.byteLength)
          bytes.append(chunk)
        } catch (error) {
          body.cancel(error)
          // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- what a callback threw is passed on as it is
          reject(error)
        }
      },
      onEnd: () => {
        resolve(finish(bytes.take()))
      },
      onError: reject,
    })
  })
}

const NO_BYTES = new Uint8Array(0)

/**
 * Bytes put together as they come. Keeping the chunks instead would cost a hundred bytes for each, and a server may send a
 * body in chunks of one byte.
 */
class GrowingBytes {
  #bytes: Uint8Array = NO_BYTES
  #length = 0

  /** A first chunk, which often is the only one, is not copied: nobody writes to it any more. */
  append(chunk: Uint8Array): void {
    const length = this.#length + chunk.byteLength
    if (this.#length === 0) this.#bytes = chunk
    else {
      if (length > this.#bytes.byteLength) this.#grow(length)
      this.#bytes.set(chunk, this.#length)
    }
    this.#length = length
  }

  /** A copy where other memory would be kept for longer than it is needed. */
  take(): Uint8Array {
    const { buffer, byteOffset, byteLength } = this.#bytes
    if (byteLength > this.#length) return this.#bytes.slice(0, this.#length)
    return buffer.byteLength > 2 * byteLength
      ? new Uint8Array(this.#bytes)
      : new Uint8Array(buffer, byteOffset, byteLength)
  }

  /** At least to twice the size. */
  #grow(length: number): void {
    const bytes = new Uint8Array(Math.max(length, this.#bytes.byteLength * 2))
    bytes.set(this.#bytes.subarray(0, this.#length))
    this.#bytes = bytes
  }
}
