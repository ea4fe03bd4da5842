import { Transform } from 'node:stream'
import type { TransformCallback } from 'node:stream'
import * as zlib from 'node:zlib'

import { SafeFetchError } from './errors.js'
import type { BodySink, RawHeaders } from './hop.js'

/** Content codings applied one over the other that are undone; more is an attack (CVE-2022-32206 and its kin). */
const MAX_CODINGS = 5

/** RFC 9659: a zstd window of 8 MB is what a decoder has to offer, and no more. */
const ZSTD_WINDOW_LOG_MAX = 23

export type CreateDecoder = () => Transform

const DECODERS: ReadonlyMap<string, CreateDecoder> = new Map<string, CreateDecoder>([
  ['gzip', () => zlib.createGunzip()],
  ['x-gzip', () => zlib.createGunzip()],
  ['deflate', () => new DeflateDecoder()],
  ['br', () => zlib.createBrotliDecompress()],
  ...zstdDecoder(),
])

/** Registered codings that this runtime cannot decode: failing is better than handing over bytes nobody expects. */
const UNSUPPORTED: ReadonlySet<string> = new Set(['compress', 'x-compress', 'zstd'])

export const DEFAULT_ACCEPT_ENCODING: string = ['gzip', 'deflate', 'br', 'zstd']
  .filter((coding) => DECODERS.has(coding))
  .join(', ')

/**
 * The decoders of a response's body in the order they apply; none if there is nothing to undo. A list with a token that
 * is no registered coding is left alone, as Fetch does. Throws `unsupported_content_encoding`.
 */
export function contentDecoders(headers: RawHeaders): readonly CreateDecoder[] {
  const field = Object.hasOwn(headers, 'content-encoding') ? headers['content-encoding'] : undefined
  if (field === undefined) return []
  const codings = String(field)
    .split(',')
    .map((coding) => coding.trim().toLowerCase())
    .filter((coding) => coding !== '' && coding !== 'identity')
  if (codings.length > MAX_CODINGS) throw unsupported()
  if (codings.some((coding) => !DECODERS.has(coding) && !UNSUPPORTED.has(coding))) return []
  return codings.toReversed().map((coding) => DECODERS.get(coding) ?? refuseCoding())
}

/** How a decoder holds back, and lets go of, the body that feeds it. */
export interface BodySource {
  pause(): void
  resume(): void
  cancel(reason: unknown): void
}

/** Undoes the codings between a body and its sink. A body of no bytes at all stays empty, whatever it is called. */
export class BodyDecoder implements BodySink {
  readonly #createDecoders: readonly CreateDecoder[]
  readonly #source: BodySource
  readonly #sink: BodySink
  #stages: readonly Transform[] = []
  #over = false

  constructor(createDecoders: readonly CreateDecoder[], source: BodySource, sink: BodySink) {
    this.#createDecoders = createDecoders
    this.#source = source
    this.#sink = sink
  }

  pause(): void {
    this.#stages.at(-1)?.pause()
  }

  resume(): void {
    this.#stages.at(-1)?.resume()
  }

  /** Frees the decoders; nothing reaches the sink any more. */
  stop(): void {
    this.#over = true
    for (const stage of this.#stages) stage.destroy()
  }

  onData(chunk: Uint8Array): void {
    if (this.#over) return
    if (this.#stages.length === 0) this.#stages = this.#connectStages()
    const mayContinue = this.#stages[0]?.write(chunk) ?? true
    if (!mayContinue) this.#source.pause()
  }

  onEnd(): void {
    if (this.#over) return
    if (this.#stages.length === 0) this.#sink.onEnd()
    else this.#stages[0]?.end()
  }

  onError(reason: unknown): void {
    if (this.#over) return
    this.stop()
    this.#sink.onError(reason)
  }

  #connectStages(): readonly Transform[] {
    const stages = this.#createDecoders.map((create) => create())
    for (const [index, stage] of stages.entries()) {
      stage.on('error', (cause) => {
        this.#fail(cause)
      })
      const next = stages[index + 1]
      if (next) stage.pipe(next)
    }
    stages[0]?.on('drain', () => {
      this.#source.resume()
    })
    stages.at(-1)?.on('data', (chunk: Uint8Array) => {
      if (!this.#over) this.#sink.onData(chunk)
    })
    stages.at(-1)?.on('end', () => {
      if (this.#over) return
      this.#over = true
      this.#sink.onEnd()
    })
    return stages
  }

  #fail(cause: Error): void {
    if (this.#over) return
    this.stop()
    const error = new SafeFetchError('decode_failed', 'The body does not match its content coding.', {
      cause,
    })
    this.#source.cancel(error)
    this.#sink.onError(error)
  }
}

/** "deflate" is zlib (RFC 9110, section 8.4.1.2), but some servers send the bare stream: the first byte tells. */
class DeflateDecoder extends Transform {
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
    this.#inflate.once('end', () => {
      callback()
    })
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
    inflate.on('error', (error) => {
      this.destroy(error)
    })
    return inflate
  }
}

/** zstd came to Node with 22.15 and 23.8. */
function zstdDecoder(): [string, CreateDecoder][] {
  if (!('createZstdDecompress' in zlib)) return []
  const create = zlib.createZstdDecompress as (options: object) => Transform
  const windowLogMax = (zlib.constants as unknown as Record<string, number>)['ZSTD_d_windowLogMax']
  const params = windowLogMax === undefined ? {} : { [windowLogMax]: ZSTD_WINDOW_LOG_MAX }
  return [['zstd', () => create({ params })]]
}

function refuseCoding(): never {
  throw unsupported()
}

function unsupported(): SafeFetchError {
  return new SafeFetchError(
    'unsupported_content_encoding',
    'The content coding of the body cannot be decoded.',
  )
}
