import type { IncomingMessage } from 'node:http'

/** The body of a request; undefined, and no more of it is kept, when it has more bytes than that. */
export async function readText(request: IncomingMessage, maxBytes: number): Promise<string | undefined> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.byteLength
    if (length <= maxBytes) chunks.push(chunk)
  }
  return length > maxBytes ? undefined : Buffer.concat(chunks).toString('utf8')
}
