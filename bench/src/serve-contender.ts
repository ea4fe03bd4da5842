import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'

/** In a program that `startServer` forked: serves, sends the port, then answers questions about the process. */
export function serveContender(listener: RequestListener): void {
  const server = createServer(listener)
  server.listen(0, '127.0.0.1', () => {
    process.send?.((server.address() as AddressInfo).port)
  })
  process.on('disconnect', () => process.exit())
  process.on('message', (question) => {
    process.send?.(question === 'heapUsed' ? heapUsed() : cpuMs())
  })
}

function heapUsed(): number {
  globalThis.gc?.()
  return process.memoryUsage().heapUsed
}

function cpuMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}
