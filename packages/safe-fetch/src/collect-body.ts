import type { BodySource } from './body-source.js'

/** Reads a body to its end, into memory of its own. */
export function collectBody(body: BodySource): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const bytes = new GrowingBytes()
    body.read({
      onData: (chunk) => {
        bytes.append(chunk)
      },
      onEnd: () => {
        resolve(bytes.take())
      },
      onError: reject,
    })
  })
}

const NO_BYTES = new Uint8Array(0)

/**
 * Bytes copied together as they come. Keeping the chunks instead would cost a hundred bytes for each, and a server may
 * send a body in chunks of one byte.
 */
class GrowingBytes {
  #bytes = NO_BYTES
  #length = 0

  append(chunk: Uint8Array): void {
    const length = this.#length + chunk.byteLength
    if (this.#length === 0) this.#bytes = new Uint8Array(chunk)
    else {
      if (length > this.#bytes.byteLength) this.#grow(length)
      this.#bytes.set(chunk, this.#length)
    }
    this.#length = length
  }

  take(): Uint8Array {
    const isFull = this.#length > 0 && this.#length === this.#bytes.byteLength
    return isFull ? this.#bytes : this.#bytes.slice(0, this.#length)
  }

  /** At least to twice the size. A first chunk, which often is the only one, is copied as it is. */
  #grow(length: number): void {
    const bytes = new Uint8Array(Math.max(length, this.#bytes.byteLength * 2))
    bytes.set(this.#bytes.subarray(0, this.#length))
    this.#bytes = bytes
  }
}
