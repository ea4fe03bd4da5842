import type { RequestListener } from 'node:http'
import { createServer, type Server, type Socket } from 'node:net'
import type { AddressInfo } from 'node:net'
import { freePort, startServer, type LoopbackServer } from '@internal/loopback'
import { exitCodeFor, type ConformanceReport } from '@doorplate/conformance-kit'
import { afterEach, describe, expect, it } from 'vitest'
import { renderJUnitReport, runConformance, type RunConformanceOptions } from '../src/index.js'
import { createGoodSite, type Fault } from './good-site.js'

const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  await Promise.all(closing.splice(0).map((close) => close()))
})

async function serve(listener: RequestListener): Promise<LoopbackServer> {
  const server = await startServer(listener)
  closing.push(() => server.close())
  return server
}

/** A good site on loopback with a fault; its origin is known only when it listens. */
async function serveSite(fault: Fault = {}): Promise<LoopbackServer> {
  let listener: RequestListener = () => undefined
  const server = await serve((incoming, outgoing) => {
    listener(incoming, outgoing)
  })
  listener = createGoodSite(server.origin, '1.0', fault)
  return server
}

function check(origin: string, options: RunConformanceOptions = {}): Promise<ConformanceReport> {
  return runConformance(origin, { allowPrivateNetwork: true, seed: 1, ...options })
}

function statusOf(report: ConformanceReport, id: string): string | undefined {
  return report.checks.find((result) => result.id === id)?.status
}

async function listenRaw(onSocket: (socket: Socket) => void): Promise<string> {
  const sockets = new Set<Socket>()
  const server: Server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined)
    onSocket(socket)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closing.push(() => {
    for (const socket of sockets) socket.destroy()
    return new Promise((resolve) => {
      server.close(resolve)
    })
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

describe('a target that is no AADP site', () => {
  it.each([
    ['is not there', async () => `http://127.0.0.1:${await freePort()}`, 'network_error'],
    ['does not answer', () => listenRaw(() => undefined), 'timeout'],
    ['does not speak HTTP', () => listenRaw(otherProtocol), 'malformed_response'],
    ['sends headers without end', () => listenRaw(endlessHeaders), 'response_headers_too_large'],
    ['sends a body without end', async () => (await serve(endlessBody)).origin, 'response_too_large'],
    ['announces a gigabyte', async () => (await serve(gigabyte)).origin, 'response_too_large'],
    ['sends a byte at a time', async () => (await serve(slowBody)).origin, 'timeout'],
    ['redirects without end', async () => (await serve(endlessRedirects)).origin, 'too_many_redirects'],
    ['redirects into a private network', async () => (await serve(privateRedirect)).origin, 'blocked'],
  ])('%s: unreachable, exit 2, with a report', async (_, open, code) => {
    // Only what waits in vain has to wait; a short limit for the others would measure this machine.
    const report = await check(await open(), code === 'timeout' ? { timeoutMs: 300 } : {})
    expect(report).toMatchObject({ status: 'failed', complete: false, fatal: { code: 'unreachable' } })
    expect(report.fatal?.message).toContain(`(${code})`)
    expect(exitCodeFor(report)).toBe(2)
    expect(renderJUnitReport(report)).toContain('<failure')
  })

  it('CF-08: answers 404 to everything: no pass', async () => {
    const server = await serve((_, outgoing) => outgoing.writeHead(404).end())
    const report = await check(server.origin)
    expect(report.summary).toMatchObject({ passed: 0, failed: 1 })
    expect(exitCodeFor(report)).toBe(2)
  })

  it('is on a private network without leave: blocked, and nothing is sent', async () => {
    const server = await serveSite()
    const report = await check(server.origin, { allowPrivateNetwork: false })
    expect(report.fatal?.message).toContain('--allow-private-network')
    expect(server.connectionCount).toBe(0)
  })
})

describe('a hostile site', () => {
  it('cannot lead the run to another private host', async () => {
    const victim = await serve((_, outgoing) => outgoing.end('secret'))
    const site = await serveSite({
      manifest: (manifest) => (manifest.discovery!.sitemap_index = `${victim.origin}/x`),
    })
    const report = await check(site.origin)
    expect(statusOf(report, 'traversal.sitemap_index')).toBe('failed')
    expect(victim.connectionCount).toBe(0)
    await check(site.origin, { dangerouslyAllow: [victim.host] })
    expect(victim.connectionCount).toBeGreaterThan(0)
  })

  it('gets the headers of the caller, and no other origin does', async () => {
    const seen: Record<string, (string | undefined)[]> = { own: [], other: [], redirected: [] }
    const agents = new Set<string | undefined>()
    const other = await serve((incoming, outgoing) => {
      seen[incoming.url === '/redirected' ? 'redirected' : 'other']!.push(incoming.headers.authorization)
      agents.add(incoming.headers['user-agent'])
      outgoing.writeHead(200, { 'content-type': 'text/html' }).end('x')
    })
    const site = await serveSite({
      manifest: (manifest) => Object.assign(manifest, { links: { homepage: `${other.origin}/` } }),
      answer: (request) => {
        seen['own']!.push(request.headers['authorization'])
        if (request.url.pathname !== '/pages/terms') return undefined
        return { status: 302, headers: { location: `${other.origin}/redirected` }, body: '' }
      },
    })
    const options = {
      headers: { Authorization: 'Bearer t0p-5ecr3t', 'User-Agent': 'my-own' },
      dangerouslyAllow: [other.host],
    }
    const report = await check(site.origin, options)
    expect(new Set(seen['own'])).toEqual(new Set(['Bearer t0p-5ecr3t']))
    expect(seen['redirected']).toEqual([undefined])
    expect(JSON.stringify(report)).not.toContain('5ecr3t')
    const plain = await check(site.origin, { ...options, fetch: globalThis.fetch })
    expect(plain.requests.count).toBeGreaterThan(10)
    expect(new Set([...seen['redirected']!, ...seen['other']!])).toEqual(new Set([undefined]))
    expect(agents).not.toContain('my-own')
    expect(agents).toContain('aadp-conformance (+https://github.com/doorplate/doorplate)')
  })

  it('cannot bring the credentials of the caller into the report', async () => {
    const site = await serveSite({
      reply: (reply, { headers }) => {
        if (reply.headers['etag'] !== undefined) reply.headers['etag'] = `"${headers['authorization'] ?? ''}"`
      },
    })
    const report = await check(site.origin, { headers: { Authorization: 'Bearer t0p-5ecr3t' } })
    expect(JSON.stringify(report)).toContain('ETag is \\"Bearer (hidden)\\"')
    expect(JSON.stringify(report)).not.toContain('5ecr3t')
  })

  it('with pages without end uses up its pages and is inconclusive', async () => {
    let page = 0
    const site = await serveSite({
      answer: ({ url }) => {
        if (url.searchParams.has('cursor')) url.searchParams.delete('cursor')
        return undefined
      },
      document: (document) => {
        if (document.cursor !== undefined) document.cursor.next = `c${String(page++)}`
      },
    })
    const report = await check(site.origin, { maxPages: 7 })
    expect(statusOf(report, 'pagination.last_cursor')).toBe('inconclusive')
    expect(report.status).not.toBe('passed')
    expect(page).toBeLessThan(20)
  })

  it('that never answers ends at the deadline, with a report', async () => {
    let site: RequestListener = () => undefined
    const server = await serve((incoming, outgoing) => {
      if (incoming.url?.startsWith('/ai/') !== true) site(incoming, outgoing)
    })
    site = createGoodSite(server.origin, '1.0')
    const report = await check(server.origin, { timeoutMs: 60_000, deadlineMs: 2_000 })
    expect(statusOf(report, 'manifest.http')).toBe('passed')
    expect(statusOf(report, 'traversal.sitemap_index')).toBe('inconclusive')
    expect(report).toMatchObject({ status: 'inconclusive', complete: false })
    expect(exitCodeFor(report)).toBe(4)
  })

  it('with documents nested beyond measure is judged, not crashed on', async () => {
    const deep = `${'['.repeat(200_000)}${']'.repeat(200_000)}`
    const site = await serveSite({
      text: (text, { url }) => {
        if (url.pathname.startsWith('/ai/entities/')) return text.replace('"data":{', `"data":{"x":${deep},`)
        return url.pathname === '/ai/index.json' ? text.replace('{', `{"x_deep":${deep},`) : text
      },
    })
    const report = await check(site.origin)
    expect(report.fatal).toBeUndefined()
    expect(statusOf(report, 'traversal.entity')).toBe('failed')
  })

  it('cannot write to the terminal', async () => {
    const site = await serveSite({ manifest: (manifest) => (manifest.aadp_version = '\u001b[2J\u202e') })
    const { checks } = await check(site.origin)
    const texts = checks.flatMap(({ message = '', findings }) => [
      message,
      ...findings.map((found) => found.message),
    ])
    expect(texts.join('')).toContain('\\u001b[2J\\u202e')
    expect(texts.join('')).not.toMatch(/[\p{Cc}\p{Cf}]/u)
  })
})

describe('the end of a run', () => {
  it('comes at the abort of the caller, with a report', async () => {
    const site = await serveSite()
    const controller = new AbortController()
    const report = await check(site.origin, {
      signal: controller.signal,
      onCheck: ({ id }) => {
        if (id === 'traversal.sitemap') controller.abort(new Error('enough'))
      },
    })
    expect(statusOf(report, 'traversal.sitemap')).toBe('passed')
    expect(statusOf(report, 'errors.not_found')).toBe('inconclusive')
    expect(report).toMatchObject({ status: 'inconclusive', complete: false })
    expect(exitCodeFor(report)).toBe(4)
  })

  it('leaves requests within their budget', async () => {
    const site = await serveSite()
    const report = await check(site.origin, { maxRequests: 12 })
    expect(report.requests.count).toBe(12)
    expect(report.status).toBe('inconclusive')
  })

  it('never certifies an empty site', async () => {
    const empty = await serveSite({
      content: (content) => {
        Object.keys(content).forEach((type) => (content[type] = []))
      },
    })
    expect((await check(empty.origin)).status).toBe('inconclusive')
    const noSitemaps = await serveSite({
      manifest: (manifest) => delete manifest.resources,
      content: (content) => {
        for (const type of Object.keys(content)) Reflect.deleteProperty(content, type)
      },
    })
    const report = await check(noSitemaps.origin)
    expect(statusOf(report, 'traversal.sitemap_index')).toBe('inconclusive')
    expect(exitCodeFor(report)).toBe(4)
  })
})

function otherProtocol(socket: Socket): void {
  socket.once('data', () => {
    socket.end('SSH-2.0-OpenSSH\r\n')
  })
}

function endlessHeaders(socket: Socket): void {
  socket.write('HTTP/1.1 200 OK\r\n')
  const line = `x-filler: ${'x'.repeat(1_000)}\r\n`
  const write = (): void => {
    while (!socket.destroyed && socket.write(line));
    socket.once('drain', write)
  }
  write()
}

const endlessBody: RequestListener = (_, outgoing) => {
  outgoing.writeHead(200, { 'content-type': 'application/json' })
  const write = (): void => {
    while (!outgoing.destroyed && outgoing.write(' '.repeat(65_536)));
    outgoing.once('drain', write)
  }
  write()
}

const gigabyte: RequestListener = (_, outgoing) => {
  outgoing.writeHead(200, { 'content-type': 'application/json', 'content-length': 1_000_000_000 })
  outgoing.write('{')
}

const slowBody: RequestListener = (_, outgoing) => {
  outgoing.writeHead(200, { 'content-type': 'application/json' })
  const timer = setInterval(() => outgoing.write(' '), 20)
  outgoing.on('close', () => {
    clearInterval(timer)
  })
}

const endlessRedirects: RequestListener = ({ url }, outgoing) => {
  outgoing.writeHead(302, { location: `${url ?? ''}x` }).end()
}

const privateRedirect: RequestListener = (_, outgoing) => {
  outgoing.writeHead(302, { location: 'http://169.254.169.254/latest/meta-data/' }).end()
}
