import { Readable } from 'node:stream'

import { bytesBody, streamBody } from './request-body.js'
import type { HopBody } from './request-body.js'
import { invalidOption } from '../options/validate-option.js'

export interface ExtractedBody {
  readonly body: HopBody | null
  /** The content type the body implies, for a request that names none. */
  readonly contentType: string | null
}

type BodyInit = NonNullable<RequestInit['body']>

/** A Request shows its body as a stream only; up to this size it is held, so that it can be sent again. */
const MAX_HELD_BYTES = 65_536

/** The body of a fetch (Fetch standard, "extract a body"). What is not a stream is held and can be sent again. */
export async function extractBody(
  body: BodyInit | undefined,
  source: Request | undefined,
): Promise<ExtractedBody> {
  if (body === undefined) return source?.body ? holdOrStream(source) : { body: null, contentType: null }
  if (typeof body !== 'object')
    return { body: bytesBody(Buffer.from(String(body as unknown))), contentType: 'text/plain;charset=UTF-8' }
  if (body instanceof ArrayBuffer)
    return { body: bytesBody(new Uint8Array(body.slice(0))), contentType: null }
  if (ArrayBuffer.isView(body)) return { body: bytesBody(copyView(body)), contentType: null }
  if (body instanceof ReadableStream) {
    if (body.locked || Readable.isDisturbed(body as never))
      throw invalidOption('body', 'a stream that nobody reads yet')
    return { body: streamBody(body as ReadableStream<Uint8Array>), contentType: null }
  }
  if (Symbol.asyncIterator in body) return { body: streamBody(ReadableStream.from(body)), contentType: null }
  const response = new Response(body)
  const contentType = response.headers.get('content-type')
  return { body: bytesBody(new Uint8Array(await response.arrayBuffer())), contentType }
}

function copyView(view: ArrayBufferView): Uint8Array {
  return new Uint8Array(view.buffer, view.byteOffset, view.byteLength).slice()
}

async function holdOrStream(source: Request): Promise<ExtractedBody> {
  if (source.bodyUsed || !(source.body instanceof ReadableStream) || source.body.locked)
    throw invalidOption('input', 'a Request whose body is not used yet')
  const reader = (source.body as ReadableStream<Uint8Array>).getReader()
  const held: Uint8Array[] = []
  for (let heldBytes = 0; heldBytes <= MAX_HELD_BYTES;) {
    const { done, value } = await reader.read()
    if (done) return { body: bytesBody(Buffer.concat(held)), contentType: null }
    held.push(value)
    heldBytes += value.byteLength
  }
  return { body: streamBody(resume(held, reader)), contentType: null }
}

function resume(
  held: readonly Uint8Array[],
  reader: ReadableStreamDefaultReader<Uint8Array>,
): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      for (const chunk of held) controller.enqueue(chunk)
    },
    async pull(controller) {
      const { done, value } = await reader.read()
      if (done) controller.close()
      else controller.enqueue(value)
    },
    cancel: (reason) => reader.cancel(reason),
  })
}
