import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Answers every request with the same 1 KB document; says where it listens. Runs in a process of its own. */
const body = Buffer.from(JSON.stringify({ data: 'x'.repeat(1_000) }))
const headers = { 'content-type': 'application/json', 'content-length': body.byteLength, etag: '"1"' }

const server = createServer((_request, response) => {
  response.writeHead(200, headers)
  response.end(body)
})
server.keepAliveTimeout = 60_000
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port))
// Any message asks for the number of open connections.
process.on('message', () => {
  server.getConnections((_error, count) => process.send?.(count))
})
process.on('disconnect', () => {
  process.exit()
})
