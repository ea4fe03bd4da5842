import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import express from 'express'
import fastify from 'fastify'
import { Hono } from 'hono'
import { afterEach, describe, expect, test } from 'vitest'
import { toNodeListener } from '../src/node.js'
import { declareShop, makeProducts, PATHS, productResource } from './shop.js'

const aadp = declareShop([productResource(makeProducts(3))])
const closing: (() => Promise<unknown>)[] = []

afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

async function listen(server: Server): Promise<string> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  closing.push(() => {
    server.closeAllConnections()
    server.close()
    return once(server, 'close')
  })
  return `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`
}

/** Every document is there, and the rest of the site is untouched. */
async function check(ask: (path: string, init?: RequestInit) => Promise<Response>): Promise<void> {
  for (const path of Object.values(PATHS)) {
    const full = await ask(path)
    expect(full.status).toBe(200)
    const etag = full.headers.get('etag') ?? ''
    expect(etag).toMatch(/^"sha256:/)
    expect((await ask(path, { headers: { 'if-none-match': etag } })).status).toBe(304)
    const head = await ask(path, { method: 'HEAD' })
    expect([head.status, head.headers.get('content-length')]).toEqual([
      200,
      full.headers.get('content-length'),
    ])
    expect((await ask(path, { method: 'POST' })).status).toBe(405)
    expect((await ask(path, { method: 'OPTIONS' })).status).toBe(204)
  }
  expect((await ask('/ai/v1.0/entities/product/none.json')).status).toBe(404)
}

async function checkRest(ask: (path: string, init?: RequestInit) => Promise<Response>): Promise<void> {
  const about = await ask('/about')
  expect([about.status, await about.text()]).toEqual([200, 'About us'])
  expect((await ask('/missing')).status).toBe(404)
}

describe('a recipe', () => {
  test('for node:http', async () => {
    const origin = await listen(createServer(toNodeListener(aadp)))
    await check((path, init) => fetch(origin + path, init))
  })

  test('for Express', async () => {
    const app = express()
    app.use(toNodeListener(aadp))
    app.get('/about', (_request, response) => {
      response.send('About us')
    })
    const origin = await listen(createServer(app))
    await check((path, init) => fetch(origin + path, init))
    await checkRest((path, init) => fetch(origin + path, init))
  })

  test('for Fastify', async () => {
    const app = fastify()
    const listener = toNodeListener(aadp)
    app.addHook('onRequest', (request, reply, done) => {
      if (!aadp.matches(request.raw.url ?? '/')) {
        done()
        return
      }
      reply.hijack()
      listener(request.raw, reply.raw)
    })
    app.get('/about', () => 'About us')
    const origin = await app.listen({ port: 0, host: '127.0.0.1' })
    closing.push(() => app.close())
    await check((path, init) => fetch(origin + path, init))
    await checkRest((path, init) => fetch(origin + path, init))
  })

  test('for Hono', async () => {
    const app = new Hono()
    app.use(async (context, next) =>
      aadp.matches(context.req.url) ? aadp.handleRequest(context.req.raw) : next(),
    )
    app.get('/about', (context) => context.text('About us'))
    const ask = async (path: string, init?: RequestInit): Promise<Response> => app.request(path, init)
    await check(ask)
    await checkRest(ask)
  })

  test('for Next.js App Router: its route handlers', async () => {
    const handler = (request: Request): Promise<Response> => aadp.handleRequest(request)
    const route = { GET: handler, HEAD: handler, POST: handler, OPTIONS: handler }
    await check((path, init) => {
      const request = new Request(`http://localhost:3000${path}`, init)
      return route[request.method as keyof typeof route](request)
    })
  })
})
