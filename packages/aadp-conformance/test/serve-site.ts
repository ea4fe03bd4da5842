import type { RequestListener } from 'node:http'
import { startServer, startTlsServer } from '@internal/loopback'
import { createSafeFetch, type SafeFetch } from '@doorplate/safe-fetch'

/** A server under a public name, on this machine, with a fetch that finds it. */
export interface ServedSite {
  readonly origin: string
  readonly fetch: SafeFetch
  /** Replaces what the server answers. */
  serve(listener: RequestListener): void
  close(): Promise<void>
}

const NAME = 'books.test'

/** Serves sites one after the other at one origin, so that no test is about a loopback address. */
export async function serveSites(isPlain: boolean): Promise<ServedSite> {
  let listener: RequestListener = () => undefined
  const current: RequestListener = (incoming, outgoing) => {
    listener(incoming, outgoing)
  }
  const server = isPlain ? await startServer(current) : await startTlsServer([NAME], current)
  const fetch = createSafeFetch({
    ...('ca' in server && { ca: server.ca as string }),
    dangerouslyAllow: [`${NAME}:${server.port}`],
    lookup: (_name, _options, callback) => {
      callback(null, [{ address: '127.0.0.1', family: 4 }])
    },
  })
  return {
    origin: `${isPlain ? 'http' : 'https'}://${NAME}:${server.port}`,
    fetch,
    serve: (next) => {
      listener = next
    },
    close: async () => {
      await fetch.close()
      await server.close()
    },
  }
}
