import { Readable } from 'node:stream'

import { SafeFetchError } from '../errors.js'

/** A request body as one hop needs it. */
export interface HopBody {
  /** The bytes to write. A stream can be sent once: the second call throws `body_not_replayable`. */
  send(): Uint8Array | Readable
  /** Lets go of a stream that will not be read any further. */
  cancel(reason: unknown): void
}

export function bytesBody(bytes: Uint8Array): HopBody {
  return { send: () => bytes, cancel: () => undefined }
}

/** A body read while it is sent. It cannot follow a redirect that keeps the method, nor be tried again. */
export function streamBody(stream: ReadableStream<Uint8Array>): HopBody {
  let reader: ReadableStreamDefaultReader<Uint8Array> | undefined
  return {
    send: () => {
      if (reader)
        throw new SafeFetchError('body_not_replayable', 'A stream body cannot be sent a second time.')
      reader = stream.getReader()
      return Readable.from(readAll(reader), { objectMode: false })
    },
    cancel: (reason) => {
      // The reader's own failure, if any, was reported when the body was sent.
      reader?.cancel(reason).catch(() => undefined)
    },
  }
}

async function* readAll(reader: ReadableStreamDefaultReader<Uint8Array>): AsyncGenerator<Uint8Array> {
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    if (!(value instanceof Uint8Array)) throw new TypeError('A stream body must yield Uint8Array chunks.')
    yield value
  }
}
