import { createServer, type AddressInfo } from 'node:net'
import { isAhpConformanceError } from '../src/index.js'

/** A port that is free now. */
export async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

/** Does work that listens on a free port, and again where somebody else took that port meanwhile. */
export async function withFreePort<Result>(work: (port: number) => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work(await freePort())
    } catch (error) {
      const isTaken = isAhpConformanceError(error) && error.code === 'cannot_listen'
      if (!isTaken || attempt >= 5) throw error
    }
  }
}
