import type { CoreRequest } from './core-message.js'

/** The body of a request, or the status that refuses it: 400 where it was read before or breaks off, 413 where it is too long. */
export async function readWholeBody(request: CoreRequest, maxBytes: number): Promise<Uint8Array | 400 | 413> {
  try {
    return (await request.readBody(maxBytes)) ?? 413
  } catch (error) {
    if (request.signal.aborted) throw request.signal.reason
    if (isAbort(error)) throw error
    return 400
  }
}

/** The visitor is gone, though the signal does not tell yet. */
function isAbort(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'AbortError'
}
