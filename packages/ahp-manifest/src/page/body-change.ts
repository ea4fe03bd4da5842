/** Changes a body while it goes by. Neither keeps a chunk that it was given nor gives an empty one a meaning. */
export interface BodyChange {
  /** What can go on after this chunk. */
  write(chunk: Uint8Array): readonly Uint8Array[]
  /** What remains. */
  end(): readonly Uint8Array[]
}

/** A change as a stream to pipe a body through. */
export function changeStream(change: BodyChange): TransformStream<Uint8Array, Uint8Array> {
  const enqueue = (
    pieces: readonly Uint8Array[],
    controller: TransformStreamDefaultController<Uint8Array>,
  ): void => {
    // An empty chunk would wake a reader for nothing.
    for (const piece of pieces) if (piece.length > 0) controller.enqueue(piece)
  }
  return new TransformStream({
    transform: (chunk, controller) => {
      enqueue(change.write(chunk), controller)
    },
    flush: (controller) => {
      enqueue(change.end(), controller)
    },
  })
}
