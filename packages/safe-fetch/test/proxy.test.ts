import { createServer } from 'node:http'
import { connect } from 'node:net'

import { listen, startServer } from '@internal/loopback'
import { expect, it, onTestFinished } from 'vitest'

import { createSafeFetch } from '../src/index.js'
import { rejection } from './world.js'

it('with a proxy every request goes through it, and URLs are still judged', async () => {
  const origin = await startServer((request, response) =>
    response.end(`${request.headers.host ?? ''}${request.url ?? ''}`),
  )
  const asked: string[] = []
  const proxyServer = createServer()
  proxyServer.on('connect', (request, socket) => {
    asked.push(request.url ?? '')
    const upstream = connect(origin.port, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection Established\r\n\r\n')
      upstream.pipe(socket).pipe(upstream)
    })
    socket.on('error', () => undefined)
    upstream.on('error', () => undefined)
  })
  const proxy = await listen(proxyServer, 'http')
  const safeFetch = createSafeFetch({
    proxy: { url: proxy.origin, nameResolution: 'by-proxy' },
    lookup: () => {
      throw new Error('The proxy resolves names.')
    },
  })
  onTestFinished(async () => {
    await safeFetch.close()
    await Promise.all([origin.close(), proxy.close()])
  })
  const headers = { 'proxy-authorization': 'Basic eDp5' }
  expect(await (await safeFetch('http://a.example/x', { headers })).text()).toBe('a.example/x')
  expect(Buffer.from((await safeFetch.request('http://a.example/y')).body).toString()).toBe('a.example/y')
  expect(await rejection(safeFetch('http://127.0.0.1/'))).toMatchObject({ code: 'blocked' })
  expect(await rejection(safeFetch('http://svc.internal/'))).toMatchObject({ code: 'blocked' })
  expect(new Set(asked)).toEqual(new Set(['a.example:80']))
})

it('a proxy that refuses is a failed connection', async () => {
  const proxyServer = createServer()
  proxyServer.on('connect', (_request, socket) => socket.end('HTTP/1.1 403 Forbidden\r\n\r\n'))
  const proxy = await listen(proxyServer, 'http')
  const safeFetch = createSafeFetch({ proxy: { url: proxy.origin, nameResolution: 'by-proxy' } })
  expect(await rejection(safeFetch('http://a.example/'))).toMatchObject({ code: 'network_error' })
  await safeFetch.close()
  await proxy.close()
})

it('a proxy that never answers is a connect timeout', async () => {
  const proxyServer = createServer()
  proxyServer.on('connect', () => undefined)
  const proxy = await listen(proxyServer, 'http')
  const safeFetch = createSafeFetch({
    proxy: { url: proxy.origin, nameResolution: 'by-proxy' },
    connectTimeoutMs: 100,
  })
  expect(await rejection(safeFetch('http://a.example/'))).toMatchObject({
    code: 'connect_timeout',
    timeoutMs: 100,
  })
  await safeFetch.close()
  await proxy.close()
})
