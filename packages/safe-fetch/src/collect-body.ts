import type { LimitedBody } from './limit-body.js'

/** Reads a body to its end, into memory of its own. */
export function collectBody(body: LimitedBody): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const chunks: Uint8Array[] = []
    body.read({
      onData: (chunk) => {
        chunks.push(chunk)
      },
      onEnd: () => {
        resolve(concatenate(chunks))
      },
      onError: reject,
    })
  })
}

/** Not `Buffer.concat`, whose result may share memory with other buffers of the process. */
function concatenate(chunks: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(chunks.reduce((total, chunk) => total + chunk.byteLength, 0))
  let offset = 0
  for (const chunk of chunks) {
    bytes.set(chunk, offset)
    offset += chunk.byteLength
  }
  return bytes
}
