import { sniffCharset } from './sniff-charset.js'

/** Bytes held back until the encoding can be told. */
const SNIFF_BYTES = 1024

/** Decodes a page that arrives in pieces, in its declared or detected encoding. */
export class TextStream {
  readonly #contentType: string | null
  #start: Uint8Array = new Uint8Array(0)
  #decoder: InstanceType<typeof TextDecoder> | undefined

  constructor(contentType: string | null) {
    this.#contentType = contentType
  }

  /** The text of these bytes, or nothing while the encoding is open. */
  write(chunk: Uint8Array): string {
    if (this.#decoder) return this.#decoder.decode(chunk, { stream: true })
    const start = new Uint8Array(this.#start.byteLength + chunk.byteLength)
    start.set(this.#start)
    start.set(chunk, this.#start.byteLength)
    this.#start = start
    return start.byteLength < SNIFF_BYTES ? '' : this.#open().decode(start, { stream: true })
  }

  end(): string {
    return this.#decoder ? this.#decoder.decode() : this.#open().decode(this.#start)
  }

  #open(): InstanceType<typeof TextDecoder> {
    this.#decoder = new TextDecoder(sniffCharset(this.#start, this.#contentType))
    return this.#decoder
  }
}
