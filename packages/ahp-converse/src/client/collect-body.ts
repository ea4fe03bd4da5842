/** The bytes of a stream; undefined, and the stream cancelled, when there are more than allowed. */
export async function collectBody(
  stream: ReadableStream<Uint8Array> | null,
  maxBytes: number,
): Promise<Uint8Array | undefined> {
  const chunks: Uint8Array[] = []
  let leftBytes = maxBytes
  for await (const chunk of (stream ?? []) as AsyncIterable<Uint8Array>) {
    if ((leftBytes -= chunk.byteLength) < 0) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
