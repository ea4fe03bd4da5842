import type { Dispatcher } from 'undici'

/** One GET with undici's lowest interface, its body read to the end: the least that any client on undici can do. */
export function dispatchOnce(dispatcher: Dispatcher, url: string): Promise<Uint8Array> {
  const { origin, pathname, search } = new URL(url)
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    dispatcher.dispatch(
      { origin, path: pathname + search, method: 'GET' },
      {
        onRequestStart: () => undefined,
        onResponseStart: () => undefined,
        onResponseData: (_controller, chunk) => {
          chunks.push(chunk)
        },
        onResponseEnd: () => {
          resolve(Buffer.concat(chunks))
        },
        onResponseError: (_controller, error) => {
          reject(error)
        },
      },
    )
  })
}
