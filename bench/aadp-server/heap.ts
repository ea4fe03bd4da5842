import { load } from '../src/load.js'
import { startServer } from '../src/server-process.js'
import { PATHS } from './declaration.js'

/** Heap of a server over a million requests: it must not grow. */
const ROUNDS = 10
const REQUESTS_PER_ROUND = 100_000

const server = await startServer(new URL('server.ts', import.meta.url), 'toNodeListener')
const paths = Object.values(PATHS)
for (let round = 0; round <= ROUNDS; round++) {
  process.stdout.write(
    `${String(round * REQUESTS_PER_ROUND)} requests: ${String(await server.heapUsed())} bytes\n`,
  )
  if (round === ROUNDS) break
  for (const path of paths) {
    const requests = REQUESTS_PER_ROUND / paths.length
    await load({ port: server.port, path, headers: {}, status: 200, connections: 32, requests })
  }
}
server.stop()
