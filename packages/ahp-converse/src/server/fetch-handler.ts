import type { CoreRequest } from './core-message.js'
import type { Responder } from './respond.js'

/** What a Fetch request does not tell. */
export interface ConnectionInfo {
  /** The address of the peer; without it all visitors share one limit. */
  readonly remoteAddress?: string | undefined
}

/** The core behind the Fetch API. */
export function createFetchHandler(
  respond: Responder['respond'],
): (request: Request, connection?: ConnectionInfo) => Promise<Response> {
  return async function handleRequest(request, { remoteAddress } = {}) {
    const { status, headers, body } = await respond(new FetchRequest(request, remoteAddress))
    return new Response(body, { status, headers })
  }
}

class FetchRequest implements CoreRequest {
  readonly remoteAddress: string | undefined
  readonly #request: Request

  constructor(request: Request, remoteAddress: string | undefined) {
    this.#request = request
    this.remoteAddress = remoteAddress
  }

  get method(): string {
    return this.#request.method
  }

  get target(): string {
    return this.#request.url
  }

  get signal(): AbortSignal {
    return this.#request.signal
  }

  header(name: string): string | null {
    return this.#request.headers.get(name)
  }

  async readBody(maxBytes: number): Promise<Uint8Array | undefined> {
    const body = this.#request.body as ReadableStream<Uint8Array> | null
    const reader = body?.getReader()
    if (reader === undefined) return new Uint8Array()
    const chunks: Uint8Array[] = []
    let length = 0
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      length += read.value.byteLength
      if (length > maxBytes) {
        await reader.cancel()
        return undefined
      }
      chunks.push(read.value)
    }
    return joined(chunks, length)
  }
}

function joined(chunks: readonly Uint8Array[], length: number): Uint8Array {
  const [first] = chunks
  if (chunks.length === 1 && first !== undefined) return first
  const whole = new Uint8Array(length)
  let at = 0
  for (const chunk of chunks) {
    whole.set(chunk, at)
    at += chunk.byteLength
  }
  return whole
}
