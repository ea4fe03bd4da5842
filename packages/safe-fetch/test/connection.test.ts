import { spawn, spawnSync } from 'node:child_process'
import diagnostics from 'node:diagnostics_channel'
import { once } from 'node:events'
import { Socket } from 'node:net'

import { recordDials, scriptedLookup, startServer } from '@internal/loopback'
import { expect, it, onTestFinished, vi } from 'vitest'

import { createSafeFetch } from '../src/index.js'
import { openWorld, rejection, text } from './world.js'

it('connections are reused within a policy and never shared between two', async () => {
  const world = await openWorld(text('x'))
  const other = createSafeFetch({ lookup: world.lookup })
  for (let call = 0; call < 10; call++) await world.safeFetch.request('http://a.example/')
  const ownConnections = world.server.connectionCount
  await other.request('http://a.example/')
  await other.close()
  expect(ownConnections).toBeLessThan(10)
  expect(world.server.connectionCount).toBe(ownConnections + 1)
})

it('two names with one address have a connection each', async () => {
  const names = { 'a.example': ['93.184.216.34'], 'b.example': ['93.184.216.34'] }
  const world = await openWorld(text('x'), {}, names)
  await world.safeFetch.request('http://a.example/')
  await world.safeFetch.request('http://b.example/')
  expect(world.server.connectionCount).toBe(2)
})

it('a connection nobody waits for any more is given up', async () => {
  const sockets: Socket[] = []
  // Never calls back: a connection that hangs in the handshake.
  // eslint-disable-next-line @typescript-eslint/unbound-method
  const original = Socket.prototype.connect
  Socket.prototype.connect = function (this: Socket) {
    sockets.push(this)
    return this
  }
  onTestFinished(() => {
    Socket.prototype.connect = original
  })
  const safeFetch = createSafeFetch({ lookup: scriptedLookup({ 'a.example': ['93.184.216.34'] }) })
  const controller = new AbortController()
  const call = rejection(safeFetch('http://a.example/', { signal: controller.signal }))
  await expect.poll(() => sockets.length).toBe(1)
  controller.abort()
  expect(await call).toBe(controller.signal.reason)
  expect(sockets[0]?.destroyed).toBe(true)
})

it('a connection that takes too long is an error of its own', async () => {
  const safeFetch = createSafeFetch({ lookup: () => undefined, connectTimeoutMs: 50 })
  expect(await rejection(safeFetch('http://a.example/'))).toMatchObject({
    name: 'TimeoutError',
    code: 'connect_timeout',
    timeoutMs: 50,
  })
})

it('the deadline covers the name lookup', async () => {
  const safeFetch = createSafeFetch({ lookup: () => undefined, timeoutMs: 50 })
  expect(await rejection(safeFetch('http://a.example/'))).toMatchObject({ code: 'timeout' })
})

it('a violation destroys its socket', async () => {
  const closed = vi.fn()
  const server = await startServer((_request, response) => {
    response.on('close', closed)
    response.writeHead(200, { 'content-length': 1_000_000 })
    response.write('x')
  })
  const safeFetch = createSafeFetch({ dangerouslyAllow: [server.host], maxResponseBytes: 10 })
  await rejection(safeFetch(server.origin))
  await expect.poll(() => closed.mock.calls.length).toBe(1)
  await server.close()
})

it("undici's diagnostics see the requests", async () => {
  const paths: unknown[] = []
  const onCreate = (message: unknown): void => {
    paths.push((message as { request: { path: string } }).request.path)
  }
  diagnostics.subscribe('undici:request:create', onCreate)
  const world = await openWorld(text('x'))
  await world.safeFetch.request('http://a.example/seen')
  diagnostics.unsubscribe('undici:request:create', onCreate)
  expect(paths).toEqual(['/seen'])
})

it('a certificate is always checked', async () => {
  vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0')
  const world = await openWorld(text('x'), { ca: [] })
  vi.unstubAllEnvs()
  expect(await rejection(world.safeFetch('https://a.example/'))).toMatchObject({ code: 'tls_failed' })
})

it('a process ends by itself after a call, timers and idle connections or not', () => {
  const script = `
    import { createServer } from 'node:http'
    import { createSafeFetch } from ${JSON.stringify(new URL('../dist/index.js', import.meta.url).href)}
    const server = createServer((request, response) => response.end('x')).listen(0, '127.0.0.1', async () => {
      const { port } = server.address()
      const safeFetch = createSafeFetch({ dangerouslyAllow: ['127.0.0.1:' + port] })
      await safeFetch.request('http://127.0.0.1:' + port)
      await (await safeFetch('http://127.0.0.1:' + port)).text()
      server.close()
      server.closeIdleConnections()
      console.log('done')
    })`
  const started = performance.now()
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
    encoding: 'utf8',
  })
  expect([stdout, stderr]).toEqual(['done\n', ''])
  expect(performance.now() - started).toBeLessThan(10_000)
})

it('a body that nobody reads keeps no process alive', async () => {
  const server = await startServer((_request, response) => response.end(Buffer.alloc(5_000_000)))
  const script = `
    import { createSafeFetch } from ${JSON.stringify(new URL('../dist/index.js', import.meta.url).href)}
    const safeFetch = createSafeFetch({ dangerouslyAllow: ['${server.host}'], timeoutMs: 600_000 })
    const response = await safeFetch('${server.origin}')
    process.on('exit', () => console.log(response.status, response.bodyUsed))`
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(async () => {
    child.kill()
    await server.close()
  })
  const [[output]] = (await Promise.all([once(child.stdout, 'data'), once(child, 'exit')])) as [
    [Buffer],
    unknown,
  ]
  expect(output.toString()).toBe('200 false\n')
})

it('a body that is read keeps the process alive, and the deadline ends it', async () => {
  const server = await startServer((_request, response) => response.writeHead(200).write('x'))
  const script = `
    import { createSafeFetch } from ${JSON.stringify(new URL('../dist/index.js', import.meta.url).href)}
    const safeFetch = createSafeFetch({ dangerouslyAllow: ['${server.host}'], timeoutMs: 500 })
    const response = await safeFetch('${server.origin}')
    await response.text().catch((error) => console.log(error.code))`
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(async () => {
    child.kill()
    await server.close()
  })
  const [[output]] = (await Promise.all([once(child.stdout, 'data'), once(child, 'exit')])) as [
    [Buffer],
    unknown,
  ]
  expect(output.toString()).toBe('timeout\n')
})

it('importing the package does not load undici', () => {
  const script = `
    import ${JSON.stringify(new URL('../dist/index.js', import.meta.url).href)}
    import { createRequire } from 'node:module'
    const loaded = Object.keys(createRequire(import.meta.url).cache ?? {}).filter((name) => name.includes('undici'))
    console.log(loaded.length)`
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' })
  expect(stdout).toBe('0\n')
})

it('a dial that ends at another port than the allowed one stays refused', async () => {
  const server = await startServer((_request, response) => response.end('x'))
  const recorder = recordDials(() => server.port)
  const safeFetch = createSafeFetch({ dangerouslyAllow: ['127.0.0.1:4870', 'named.internal:4870'] })
  expect(await rejection(safeFetch('http://127.0.0.1:4871/'))).toMatchObject({ code: 'blocked' })
  expect(await rejection(safeFetch('http://named.internal:4871/'))).toMatchObject({ code: 'blocked' })
  expect((await safeFetch('http://127.0.0.1:4870/')).status).toBe(200)
  expect(recorder.dials).toEqual([{ address: '127.0.0.1', port: 4870 }])
  recorder.restore()
  await safeFetch.close()
  await server.close()
})

it('a host allowed by name may resolve to any address', async () => {
  const options = { dangerouslyAllow: ['svc.internal:8080'], allowedPorts: [443] }
  const world = await openWorld(text('inside'), options, { 'svc.internal': ['10.0.0.7'] })
  expect(await (await world.safeFetch('http://svc.internal:8080/')).text()).toBe('inside')
  expect(await rejection(world.safeFetch('http://svc.internal/'))).toMatchObject({ code: 'blocked' })
})

it('a range allows what names resolve to, not the local names', async () => {
  const names = { 'a.example': ['10.0.0.7'], 'svc.internal': ['10.0.0.7'] }
  const world = await openWorld(text('inside'), { dangerouslyAllow: ['10.0.0.0/8'] }, names)
  expect(await (await world.safeFetch('http://a.example/')).text()).toBe('inside')
  expect(await rejection(world.safeFetch('http://svc.internal/'))).toMatchObject({
    code: 'blocked',
    reason: 'host_name',
  })
})

it.each([
  ['http://[2606:4700::1111]:8080/', '2606:4700::1111', '[2606:4700::1111]:8080'],
  ['http://[::ffff:8.8.8.8]/', '::ffff:808:808', '[::ffff:808:808]'],
  ['http://8.8.8.8/', '8.8.8.8', '8.8.8.8'],
  ['https://2606-4700.example/', '2606:4700::1111', '2606-4700.example'],
])('%s is dialled at %s', async (url, address, host) => {
  const world = await openWorld(text('x'), {}, { '2606-4700.example': ['2606:4700::1111'] })
  expect((await world.safeFetch(url)).status).toBe(200)
  expect(world.dials.map((dial) => dial.address)).toEqual([address])
  expect(world.seen[0]?.headers.host).toBe(host)
})
