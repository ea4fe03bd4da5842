import { connect, type Socket } from 'node:net'

export interface Load {
  readonly port: number
  /** Default: GET. */
  readonly method?: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  /** Status that every response must have. */
  readonly status: number
  readonly body?: string
  readonly connections: number
  readonly requests: number
}

export interface LoadResult {
  readonly wallMs: number
  /** Milliseconds within which 99 of 100 requests were answered. */
  readonly p99Ms: number
}

/**
 * Sends the same request over keep-alive connections, one at a time on each, as thinly as sockets allow: every response
 * to it has the length of the second, so that bytes are counted and not parsed. The first may say that it is new.
 */
export async function load({
  port,
  method = 'GET',
  path,
  headers,
  body = '',
  status,
  connections,
  requests,
}: Load): Promise<LoadResult> {
  const length = body === '' ? {} : { 'content-length': String(Buffer.byteLength(body)) }
  const fields = Object.entries({ host: 'shop.example', ...headers, ...length }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  )
  const request = Buffer.from(`${method} ${path} HTTP/1.1\r\n${fields.join('')}\r\n${body}`)
  const open = (): Socket => connect({ port, host: '127.0.0.1', noDelay: true })
  const probe = open()
  await responseSize(probe, request, status)
  const size = await responseSize(probe, request, status)
  probe.destroy()
  const sockets = Array.from({ length: connections }, open)
  const latencies: number[] = []
  let toSend = requests
  const start = performance.now()
  await Promise.all(sockets.map((socket) => drive(socket)))
  const wallMs = performance.now() - start
  for (const socket of sockets) socket.destroy()
  latencies.sort((a, b) => a - b)
  return { wallMs, p99Ms: latencies[Math.floor(latencies.length * 0.99)] ?? NaN }

  function drive(socket: Socket): Promise<void> {
    const statusLine = Buffer.from(`HTTP/1.1 ${String(status)}`)
    return new Promise((resolve, reject) => {
      let received = 0
      let sentAt = 0
      function send(): void {
        if (toSend-- <= 0) {
          resolve()
          return
        }
        received = 0
        sentAt = performance.now()
        socket.write(request)
      }
      socket.on('error', reject)
      socket.on('close', () => {
        reject(new Error('The server closed a connection.'))
      })
      socket.on('data', (chunk: Buffer) => {
        if (received === 0 && !chunk.subarray(0, statusLine.length).equals(statusLine)) {
          reject(new Error(`Not a ${String(status)}: ${chunk.toString('latin1', 0, 20)}`))
        }
        received += chunk.length
        if (received < size) return
        latencies.push(performance.now() - sentAt)
        send()
      })
      send()
    })
  }
}

/** Bytes of one whole response, head and body. */
async function responseSize(socket: Socket, request: Buffer, status: number): Promise<number> {
  return new Promise((resolve, reject) => {
    let text = ''
    function onData(chunk: Buffer): void {
      text += chunk.toString('latin1')
      const end = text.indexOf('\r\n\r\n')
      if (end < 0) return
      const length = /^content-length: (\d+)/im.exec(text.slice(0, end))?.[1]
      if (status === 200 && length === undefined) reject(new Error('The response has no Content-Length.'))
      const size = end + 4 + (status === 200 ? Number(length) : 0)
      if (text.length < size) return
      socket.off('data', onData)
      resolve(size)
    }
    socket.on('data', onData)
    socket.write(request)
  })
}
