import { Transform } from 'node:stream'
import type { TransformCallback } from 'node:stream'
import * as zlib from 'node:zlib'

/** "deflate" is zlib (RFC 9110, section 8.4.1.2), but some servers send the bare stream: the first byte tells. */
export class DeflateDecoder extends Transform {
  #inflate: zlib.Inflate | zlib.InflateRaw | undefined

  override _transform(chunk: Uint8Array, _encoding: string, callback: TransformCallback): void {
    if (chunk.byteLength === 0) {
      callback()
      return
    }
    this.#inflate ??= this.#create(((chunk[0] ?? 0) & 0x0f) === 8)
    if (this.#inflate.write(chunk)) callback()
    else this.#inflate.once('drain', callback)
  }

  override _flush(callback: TransformCallback): void {
    if (!this.#inflate) {
      callback()
      return
    }
    this.#inflate.once('end', callback)
    this.#inflate.end()
  }

  override _read(size: number): void {
    this.#inflate?.resume()
    super._read(size)
  }

  override _destroy(error: Error | null, callback: (error?: Error | null) => void): void {
    this.#inflate?.destroy()
    callback(error)
  }

  #create(isZlib: boolean): zlib.Inflate | zlib.InflateRaw {
    const inflate = isZlib ? zlib.createInflate() : zlib.createInflateRaw()
    inflate.on('data', (chunk: Uint8Array) => {
      if (!this.push(chunk)) inflate.pause()
    })
    // Also where bytes follow the compressed stream: the rest is not read.
    inflate.on('end', () => {
      this.push(null)
    })
    inflate.on('error', (error) => {
      this.destroy(error)
    })
    return inflate
  }
}
