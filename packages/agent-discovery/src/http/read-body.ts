export interface BodyExtent {
  /** Bytes given on. */
  readonly bytes: number
  /** There were more than the limits allow. */
  readonly truncated: boolean
}

export interface BodyLimits {
  readonly maxBytes: number
  /** Takes bytes from what all bodies share: how many of those wanted there are. */
  readonly takeBytes: (wanted: number) => number
  /** Ends the reading even of a body that does not know of it. */
  readonly signal: AbortSignal
}

/**
 * Gives on the bytes of a body as they arrive, as far as the limits go; cancels the rest. Rejects as the body does, and with
 * the reason of the signal.
 */
export async function readChunks(
  body: ReadableStream<Uint8Array> | null,
  limits: BodyLimits,
  onChunk: (chunk: Uint8Array) => void,
): Promise<BodyExtent> {
  if (!body) return { bytes: 0, truncated: false }
  const reader = body.getReader()
  const { signal } = limits
  // Nobody waits for this: a body may never end its own end.
  const cancel = (): void => void reader.cancel().catch(() => undefined)
  signal.addEventListener('abort', cancel)
  try {
    return await readFrom(reader, limits, onChunk)
  } finally {
    signal.removeEventListener('abort', cancel)
    cancel()
  }
}

async function readFrom(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  { maxBytes, takeBytes, signal }: BodyLimits,
  onChunk: (chunk: Uint8Array) => void,
): Promise<BodyExtent> {
  let bytes = 0
  for (;;) {
    signal.throwIfAborted()
    const { done, value } = await reader.read()
    signal.throwIfAborted()
    if (done) return { bytes, truncated: false }
    const part = value.subarray(0, takeBytes(Math.min(value.byteLength, maxBytes - bytes)))
    bytes += part.byteLength
    if (part.byteLength > 0) onChunk(part)
    if (part.byteLength < value.byteLength) return { bytes, truncated: true }
  }
}

/** The bytes of a body, as far as the limits go. */
export async function readPrefix(
  body: ReadableStream<Uint8Array> | null,
  limits: BodyLimits,
): Promise<{ readonly bytes: Uint8Array; readonly truncated: boolean }> {
  const chunks: Uint8Array[] = []
  const { bytes: length, truncated } = await readChunks(body, limits, (chunk) => {
    chunks.push(chunk)
  })
  const bytes = new Uint8Array(length)
  let position = 0
  for (const chunk of chunks) {
    bytes.set(chunk, position)
    position += chunk.byteLength
  }
  return { bytes, truncated }
}

/** Gives up a body that nobody reads. */
export function discard({ body }: Response): void {
  body?.cancel().catch(() => undefined)
}
