import { BodyEndScanner } from './body-end-scanner.js'

/**
 * Adds a notice to a page that streams through: before `</body>`, or at the end of a page that leaves that tag out. A
 * fragment of a page, a page in UTF-16 and one that has a notice already pass unchanged. Nothing is kept back but a few
 * bytes at the end of a chunk.
 */
export function noticeInserter(notice: string): TransformStream<Uint8Array, Uint8Array> {
  const latin1 = new TextDecoder('latin1')
  const bytes = new TextEncoder().encode(notice)
  const scanner = new BodyEndScanner()
  let held: Uint8Array = new Uint8Array(0)
  let isFirst = true
  let isDone = false

  return new TransformStream({
    transform(chunk, controller) {
      if (isDone) {
        controller.enqueue(chunk)
        return
      }
      const data = joined(held, chunk)
      const text = latin1.decode(data)
      if (isFirst && /^(?:\xfe\xff|\xff\xfe)/.test(text)) isDone = true
      isFirst = false
      const { position, isFound } = isDone ? { position: data.length, isFound: false } : scanner.read(text)
      enqueue(controller, data.subarray(0, position))
      held = data.subarray(position)
      if (!isFound) return
      isDone = true
      if (!scanner.hasNotice) controller.enqueue(bytes)
      enqueue(controller, held)
      held = new Uint8Array(0)
    },
    flush(controller) {
      if (isDone) return
      const { position, isFound } = scanner.read(latin1.decode(held) + END_OF_TEXT)
      const end = isFound ? position : held.length
      enqueue(controller, held.subarray(0, end))
      if (isFound || (scanner.isPage && scanner.isBetweenTokens)) {
        if (!scanner.hasNotice) controller.enqueue(bytes)
      }
      enqueue(controller, held.subarray(end))
    },
  })
}

/** Enough for the scanner to see that nothing follows. */
const END_OF_TEXT = ' '.repeat(64)

function joined(first: Uint8Array, second: Uint8Array): Uint8Array {
  if (first.length === 0) return second
  const whole = new Uint8Array(first.length + second.length)
  whole.set(first)
  whole.set(second, first.length)
  return whole
}

/** An empty chunk would wake a reader for nothing. */
function enqueue(controller: TransformStreamDefaultController<Uint8Array>, chunk: Uint8Array): void {
  if (chunk.length > 0) controller.enqueue(chunk)
}
