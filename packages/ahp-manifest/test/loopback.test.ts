import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream } from 'node:stream/web'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { defineManifest, parseManifest, withAhpDiscovery } from '../src/index.js'

const PAGE = '<!doctype html><title>Shelf</title><body><p>Reviews</p></body>'
const HTML = {
  'content-type': 'text/html; charset=utf-8',
  'content-length': String(PAGE.length),
  etag: '"p1"',
}

const site = withAhpDiscovery(
  ({ url, headers, method }) => {
    switch (new URL(url).pathname) {
      case '/':
        if (headers.get('if-none-match')?.includes('"p1"') === true)
          return new Response(null, { status: 304, headers: { etag: '"p1"' } })
        return new Response(method === 'HEAD' ? null : PAGE, { headers: HTML })
      case '/gzip':
        return new Response(gzipSync(PAGE), {
          headers: { 'content-type': 'text/html', 'content-encoding': 'gzip' },
        })
      case '/moved':
        return Response.redirect(new URL('/', url), 308)
      default:
        return new Response(PAGE, { status: 404, headers: HTML })
    }
  },
  defineManifest({
    name: 'Shelf',
    endpoints: { content: '/llms.txt' },
    content_signals: { ai_train: false, ai_input: true, search: true, attribution_required: true },
  }),
)

let server: Server
let origin: string

beforeAll(async () => {
  server = createServer((request, response) => void answer(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})

afterAll(() => server.close())

it('is found over HTTP by each of the three ways, from whatever response', async () => {
  const { manifest } = parseManifest(await (await fetch(`${origin}/.well-known/agent.json`)).text())
  expect(manifest.name).toBe('Shelf')
  for (const path of ['/', '/gzip', '/moved', '/missing']) {
    const response = await fetch(origin + path, { redirect: 'manual' })
    expect(response.headers.get('link'), path).toContain(
      '</.well-known/agent.json>; rel="ahp-manifest agent-manifest"',
    )
    await response.arrayBuffer()
  }
  for (const path of ['/', '/missing'])
    expect(await (await fetch(origin + path)).text(), path).toMatch(
      /<section class="ahp-notice".*<\/section><\/body>$/,
    )
})

it('breaks no response', async () => {
  expect(await (await fetch(`${origin}/gzip`)).text()).toBe(PAGE)
  const head = await fetch(origin, { method: 'HEAD' })
  expect([head.status, head.headers.get('content-length')]).toEqual([200, null])
  const first = await fetch(origin)
  expect(first.headers.get('content-length')).toBeNull()
  await first.text()
  const tag = first.headers.get('etag')!
  expect(tag).toBe('W/"p1"')
  const again = await fetch(origin, { headers: { 'if-none-match': tag } })
  expect([again.status, again.headers.get('etag'), await again.text()]).toEqual([304, tag, ''])
})

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const headers = new Headers(request.headers as Record<string, string>)
  const { method = 'GET', url = '/' } = request
  const result = await site(new Request(origin + url, { method, headers }))
  response.writeHead(result.status, Object.fromEntries(result.headers))
  if (result.body === null) response.end()
  else await pipeline(Readable.fromWeb(result.body as ReadableStream<Uint8Array>), response)
}
