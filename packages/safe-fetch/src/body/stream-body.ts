import type { BodySource } from './body-source.js'

/** Bytes that may wait in the stream before the connection is held back. */
const HIGH_WATER_MARK_BYTES = 65_536

/** A body as a byte stream with backpressure. `onSettled` is called once, when nothing more will arrive. */
export function streamBody(body: BodySource, onSettled: () => void): ReadableStream<Uint8Array> {
  return new ReadableStream(
    {
      type: 'bytes',
      start(controller) {
        body.read({
          onData: (chunk) => {
            // A byte stream takes the memory for itself, and this memory belongs to a socket or a decoder.
            controller.enqueue(new Uint8Array(chunk))
            if ((controller.desiredSize ?? 0) <= 0) body.pause()
          },
          onEnd: () => {
            controller.close()
            controller.byobRequest?.respond(0)
            onSettled()
          },
          onError: (reason) => {
            controller.error(reason)
            onSettled()
          },
        })
      },
      pull() {
        body.resume()
      },
      cancel(reason) {
        body.cancel(reason)
        onSettled()
      },
    },
    { highWaterMark: HIGH_WATER_MARK_BYTES },
  )
}
