import { PATHS } from './declaration.js'
import { load } from './load.js'
import { startServer } from './server-process.js'

/** Heap of a server over a million requests: it must not grow. */
const ROUNDS = 10
const REQUESTS_PER_ROUND = 100_000

const server = await startServer('toNodeListener', 1000)
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
