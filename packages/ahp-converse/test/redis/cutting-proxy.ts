import { createServer, connect, type Socket } from 'node:net'
import { freePort } from '@internal/loopback'

/** Stands between a client and Redis, and can lose replies. */
export interface CuttingProxy extends AsyncDisposable {
  readonly port: number
  /** Ends all connections as soon as Redis has done the next command that contains this text; its reply is lost. */
  cutAfter(text: string): Promise<void>
  /** Lets nobody in until then. */
  close(): void
  open(): void
}

export async function startCuttingProxy(redisPort: number): Promise<CuttingProxy> {
  const port = await freePort()
  const sockets = new Set<Socket>()
  let isOpen = true
  let armed: { readonly text: string; readonly onCut: () => void } | undefined

  function end(): void {
    for (const socket of sockets) socket.destroy()
  }

  const server = createServer((visitor) => {
    if (!isOpen) {
      visitor.destroy()
      return
    }
    const redis = connect(redisPort, '127.0.0.1')
    let isLosing = false
    for (const socket of [visitor, redis]) {
      sockets.add(socket)
      socket.on('error', () => undefined)
      socket.on('close', () => {
        sockets.delete(socket)
        visitor.destroy()
        redis.destroy()
      })
    }
    visitor.on('data', (bytes) => {
      if (armed !== undefined && bytes.toString().includes(armed.text)) isLosing = true
      redis.write(bytes)
    })
    redis.on('data', (bytes) => {
      // Then the command has not been done, and comes again.
      const isUnknown = bytes.toString().startsWith('-NOSCRIPT')
      if (!isLosing || armed === undefined || isUnknown) {
        visitor.write(bytes)
        return
      }
      const { onCut } = armed
      armed = undefined
      onCut()
      end()
    })
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))

  return {
    port,
    cutAfter: (text) =>
      new Promise((resolve) => {
        armed = { text, onCut: resolve }
      }),
    close() {
      isOpen = false
    },
    open() {
      isOpen = true
    },
    async [Symbol.asyncDispose]() {
      end()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
