import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { AhpConformanceError } from '../errors.js'
import { checkCallbackUrl, type CallbackOptions } from '../options.js'
import type { Sleep } from '../sleep.js'

/** What was posted to us. */
export interface ReceivedCallback {
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly body: string
}

/** A local server that keeps what is posted to it. */
export interface CallbackSink {
  /** What the site is told. */
  readonly url: string
  readonly received: readonly ReceivedCallback[]
  /** Waits until something that passes the test was posted; undefined when the time is over. */
  waitFor(
    isIt: (callback: ReceivedCallback) => boolean,
    options: { readonly timeoutMs: number; readonly sleep: Sleep; readonly signal: AbortSignal },
  ): Promise<ReceivedCallback | undefined>
  close(): Promise<void>
}

const MAX_BODY_BYTES = 1_048_576
const MAX_CALLBACKS = 100
const LOOK_EVERY_MS = 50

/** @throws {AhpConformanceError} `cannot_listen`, `invalid_option` */
export async function openCallbackSink({ url, port = 0 }: CallbackOptions): Promise<CallbackSink> {
  const received: ReceivedCallback[] = []
  const server = createServer((request, response) => {
    void readBody(request).then((body) => {
      if (request.method === 'POST' && body !== undefined && received.length < MAX_CALLBACKS)
        received.push({ headers: request.headers, body })
      response.writeHead(body === undefined ? 413 : 204).end()
    })
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause) => {
      const message = `Port ${port} cannot be opened for callbacks.`
      reject(new AhpConformanceError('cannot_listen', message, { option: 'callback.port', cause }))
    })
    server.listen(port, '127.0.0.1', resolve)
  })
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => {
        resolve()
      })
      server.closeAllConnections()
    })
  let told: string
  try {
    told = typeof url === 'string' ? url : checkCallbackUrl(url((server.address() as AddressInfo).port))
  } catch (error) {
    await close()
    throw error
  }
  return {
    url: told,
    received,
    waitFor: async (isIt, { timeoutMs, sleep, signal }) => {
      for (let waitedMs = 0; ; waitedMs += LOOK_EVERY_MS) {
        const found = received.find(isIt)
        if (found !== undefined || waitedMs >= timeoutMs) return found
        await sleep(LOOK_EVERY_MS, signal)
      }
    },
    close,
  }
}

async function readBody(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = []
  let bytes = 0
  try {
    for await (const chunk of request as AsyncIterable<Buffer>) {
      bytes += chunk.byteLength
      if (bytes > MAX_BODY_BYTES) return undefined
      chunks.push(chunk)
    }
  } catch {
    return undefined
  }
  return Buffer.concat(chunks).toString()
}
