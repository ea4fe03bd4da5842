import { BodyDecoder, contentDecoders } from './decode-body.js'
import type { CreateDecoder } from './decode-body.js'
import { SafeFetchError } from './errors.js'
import type { BodySink, Hop } from './hop.js'
import type { Lifetime } from './lifetime.js'

/** What an encoding may add to a body: headers, checksums, stored blocks. */
const ENCODING_OVERHEAD_BYTES = 65_536

const NULL_BODY_STATUSES: ReadonlySet<number> = new Set([204, 205, 304])

/** A body as it is to be read: decoded, and never longer than its limit. */
export interface LimitedBody {
  /** True if the content coding is undone, so that `content-encoding` and `content-length` describe it no longer. */
  readonly isDecoded: boolean
  read(sink: BodySink): void
  pause(): void
  resume(): void
  cancel(reason: unknown): void
}

export function hasBody(hop: Hop, method: string): boolean {
  return method !== 'HEAD' && !NULL_BODY_STATUSES.has(hop.status)
}

/** True for a header field that no longer holds once the content coding is undone. */
export function describesWire(name: string): boolean {
  return name === 'content-encoding' || name === 'content-length'
}

/**
 * Puts the limit on decoded bytes. Throws at once, and ends the hop, if the declared length says that the body is too
 * long or if its coding is not supported. Decoding, which may outlast the connection, ends with the lifetime.
 */
export function limitBody(hop: Hop, method: string, limitBytes: number, lifetime: Lifetime): LimitedBody {
  try {
    if (hop.status > 599) throw new SafeFetchError('malformed_response', 'The status is not an HTTP status.')
    if (!hasBody(hop, method)) return plainBody(hop, limitBytes)
    const decoders = contentDecoders(hop.headers)
    const wireLimitBytes = decoders.length === 0 ? limitBytes : limitBytes * 1.001 + ENCODING_OVERHEAD_BYTES
    if (declaredLength(hop) > wireLimitBytes) throw tooLarge(limitBytes)
    return decoders.length === 0
      ? plainBody(hop, limitBytes)
      : encodedBody(hop, decoders, limitBytes, wireLimitBytes, lifetime)
  } catch (error) {
    hop.cancel(error)
    throw error
  }
}

function plainBody(hop: Hop, limitBytes: number): LimitedBody {
  return {
    isDecoded: false,
    read: (sink) => {
      hop.read(countBytes(sink, limitBytes, limitBytes, hop.cancel))
    },
    pause: () => {
      hop.pause()
    },
    resume: () => {
      hop.resume()
    },
    cancel: hop.cancel,
  }
}

function encodedBody(
  hop: Hop,
  decoders: readonly CreateDecoder[],
  limitBytes: number,
  wireLimitBytes: number,
  lifetime: Lifetime,
): LimitedBody {
  let decoder: BodyDecoder | undefined
  const cancel = (reason: unknown): void => {
    decoder?.stop()
    hop.cancel(reason)
  }
  return {
    isDecoded: true,
    read: (sink) => {
      const decoding = new BodyDecoder(decoders, hop, countBytes(sink, limitBytes, limitBytes, cancel))
      decoder = decoding
      lifetime.watch((reason) => {
        decoding.onError(reason)
      })
      hop.read(countBytes(decoding, wireLimitBytes, limitBytes, hop.cancel))
    },
    pause: () => {
      decoder?.pause()
    },
    resume: () => {
      decoder?.resume()
    },
    cancel,
  }
}

/** Passes bytes on up to a limit; the first beyond it ends the body with `response_too_large`. */
function countBytes(
  sink: BodySink,
  maxBytes: number,
  limitBytes: number,
  cancel: (reason: unknown) => void,
): BodySink {
  let totalBytes = 0
  let isOver = false
  return {
    onData: (chunk) => {
      if (isOver) return
      totalBytes += chunk.byteLength
      if (totalBytes <= maxBytes) {
        sink.onData(chunk)
        return
      }
      isOver = true
      const error = tooLarge(limitBytes)
      cancel(error)
      sink.onError(error)
    },
    onEnd: () => {
      if (!isOver) sink.onEnd()
    },
    onError: (reason) => {
      if (isOver) return
      isOver = true
      sink.onError(reason)
    },
  }
}

function declaredLength(hop: Hop): number {
  const field = Object.hasOwn(hop.headers, 'content-length') ? hop.headers['content-length'] : undefined
  return typeof field === 'string' ? Number(field) : 0
}

function tooLarge(limitBytes: number): SafeFetchError {
  return new SafeFetchError('response_too_large', `The body is longer than ${limitBytes} bytes.`, {
    limitBytes,
  })
}
