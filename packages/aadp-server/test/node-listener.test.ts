import {
  type ClientRequest,
  createServer,
  type IncomingMessage,
  request as httpRequest,
  type Server,
  type ServerResponse,
} from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { once } from 'node:events'
import { connect as connectHttp2, createServer as createHttp2Server } from 'node:http2'
import { afterEach, expect, test } from 'vitest'
import { toNodeListener } from '../src/node.js'
import type { AadpServer, ResourceConfig } from '../src/index.js'
import { declareShop, fetchFrom, makeProducts, ORIGIN, PATHS, productResource } from './shop.js'

const servers: Server[] = []

afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
  }
})

async function listen(shop: AadpServer): Promise<string> {
  const server = createServer(toNodeListener(shop))
  servers.push(server)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`
}

const shop = declareShop([productResource(makeProducts(3))], { lastModified: '2026-01-01T00:00:00Z' })

test.each([
  ...Object.values(PATHS),
  '/nowhere',
  '/ai/v1.0/sitemaps/%zz.json',
  `${PATHS.sitemap}?cursor=x`,
  '/llms.txt',
])('%s is answered as through Fetch', async (path) => {
  const origin = await listen(shop)
  for (const init of [
    {},
    { method: 'HEAD' },
    { method: 'OPTIONS' },
    { method: 'POST' },
    { headers: { 'if-none-match': '*' } },
  ]) {
    const [node, direct] = [await fetch(origin + path, init), await fetchFrom(shop, path, init)]
    expect(node.status).toBe(direct.status)
    for (const [name, value] of direct.headers)
      if (name !== 'content-length' || node.ok) expect(node.headers.get(name)).toBe(value)
    expect(withoutId(await node.text())).toBe(withoutId(await direct.text()))
  }
})

test('Content-Length is the length of the body, also when it is not ASCII', async () => {
  const origin = await listen(
    declareShop([
      productResource([{ slug: 'product-00', title: 'Ấm trà 🫖', updatedAt: '2026-01-01T00:00:00Z' }]),
    ]),
  )
  const response = await fetch(origin + PATHS.entity)
  expect(response.headers.get('content-length')).toBe(String((await response.arrayBuffer()).byteLength))
})

test.each([
  [`GET http://evil.example${PATHS.manifest} HTTP/1.1`, 200],
  [`GET //evil.example/x HTTP/1.1`, 404],
  [`GET /ai/v1.0/../v1.0/sitemap-index.json HTTP/1.1`, 404],
  [`GET /ai/v1.0/entities/product/..%2f..%2fadmin.json HTTP/1.1`, 400],
  [`GET /ai/v1.0/entities/product/%.json HTTP/1.1`, 400],
  ['OPTIONS * HTTP/1.1', 204],
])('%s as it is on the wire gives %i and nothing of the Host', async (requestLine, status) => {
  const { port } = new URL(await listen(shop))
  const socket = connect(Number(port), '127.0.0.1')
  socket.end(
    `${requestLine}\r\nHost: attacker.example\r\nX-Forwarded-Host: attacker.example\r\nConnection: close\r\n\r\n`,
  )
  let text = ''
  for await (const chunk of socket) text += String(chunk)
  expect(text).toMatch(new RegExp(`^HTTP/1\\.1 ${String(status)} `))
  expect(text).not.toContain('attacker.example')
})

test('two If-None-Match lines are one list (HC-15)', async () => {
  const origin = await listen(shop)
  const etag = (await fetchFrom(shop, PATHS.entity)).headers.get('etag') ?? ''
  const response = await rawGet(origin + PATHS.entity, { 'if-none-match': ['"x"', etag] })
  expect(response).toBe(304)
})

test('the application can have the request, built on the declared origin', async () => {
  const seen: (Request | undefined)[] = []
  const origin = await listen(
    declareShop([productResource(makeProducts(1), { get: ({ request }) => (seen.push(request), null) })]),
  )
  await fetch(`${origin}${PATHS.entity}?a=b`, { headers: { authorization: 'Bearer t', 'x-two': '2' } })
  expect(seen[0]?.url).toBe(`${ORIGIN}${PATHS.entity}?a=b`)
  expect(seen[0]?.headers.get('authorization')).toBe('Bearer t')
})

test('an absolute request target does not choose the host that the application sees', async () => {
  const seen: (Request | undefined)[] = []
  const get: ResourceConfig['get'] = ({ request }) => (seen.push(request), null)
  const { port } = new URL(await listen(declareShop([productResource([], { get: get as never })])))
  const socket = connect(Number(port), '127.0.0.1')
  socket.end(
    `GET http://evil.example${PATHS.entity}?a=b HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n`,
  )
  socket.resume()
  await once(socket, 'close')
  expect(seen[0]?.url).toBe(`${ORIGIN}${PATHS.entity}?a=b`)
})

test('a requester that goes away aborts the signal', async () => {
  const aborted = new Promise<void>((resolve) => {
    const resource = productResource([], {
      list: ({ signal }) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => {
            resolve()
            reject(new Error('stopped'))
          })
          outgoing.destroy()
        }),
    })
    let outgoing: ClientRequest
    void listen(declareShop([resource])).then((origin) => {
      outgoing = httpRequest(origin + PATHS.sitemap).on('error', () => {})
      outgoing.end()
    })
  })
  await expect(aborted).resolves.toBeUndefined()
})

test('a middleware hands on what is not published', async () => {
  const listener = toNodeListener(shop)
  const server = createServer((request, response) => {
    listener(request, response, () => response.end('the rest of the site'))
  })
  servers.push(server)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const origin = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`
  expect(await (await fetch(`${origin}/about`)).text()).toBe('the rest of the site')
  expect((await fetch(origin + PATHS.manifest)).headers.get('content-type')).toBe('application/json')
  expect((await fetch(origin + PATHS.manifest, { method: 'POST' })).status).toBe(405)
})

function rawGet(url: string, headers: Readonly<Record<string, string[]>>): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    httpRequest(url, { headers }, (response) => {
      response.resume()
      resolve(response.statusCode)
    })
      .on('error', reject)
      .end()
  })
}

function withoutId(text: string): string {
  return text.replace(/"request_id":"[^"]*"/, '')
}

test('an answer that somebody else gave meanwhile stands', async () => {
  let finish: (() => void) | undefined
  const slow = declareShop([
    productResource(makeProducts(1), {
      get: () =>
        new Promise((resolve) => {
          finish = () => {
            resolve(null)
          }
        }),
    }),
  ])
  const listener = toNodeListener(slow)
  const rejections: unknown[] = []
  const note = (reason: unknown): void => void rejections.push(reason)
  process.on('unhandledRejection', note)
  const server = createServer((request, response) => {
    listener(request, response)
    response.writeHead(503).end('too slow')
    finish?.()
  })
  servers.push(server)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  for (let round = 0; round < 2; round++) {
    const response = await fetch(`http://127.0.0.1:${String(port)}${PATHS.entity}`)
    expect([response.status, await response.text()]).toEqual([503, 'too slow'])
  }
  process.off('unhandledRejection', note)
  expect(rejections).toEqual([])
})

test('a list that looks at its request is answered over HTTP/2 too', async () => {
  const asked: (string | null | undefined)[] = []
  const products = makeProducts(1)
  const { list } = productResource(products)
  const curious = productResource(products, {
    list: (args) => {
      asked.push(args.request?.url, args.request?.headers.get('x-asked'))
      return list(args)
    },
  })
  const listener = toNodeListener(declareShop([curious]))
  const server = createHttp2Server((request, response) => {
    listener(request as unknown as IncomingMessage, response as unknown as ServerResponse)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const client = connectHttp2(`http://127.0.0.1:${String((server.address() as AddressInfo).port)}`)
  const stream = client.request({ ':path': PATHS.sitemap, 'x-asked': 'yes' })
  const [headers] = (await once(stream, 'response')) as [Record<string, unknown>]
  client.destroy()
  server.close()
  expect(headers[':status']).toBe(200)
  expect(asked).toEqual([ORIGIN + PATHS.sitemap, 'yes'])
})
