import { createServer as createHttp2Server, connect } from 'node:http2'
import type { AddressInfo } from 'node:net'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { request as httpRequest } from 'node:http'
import { pipeline, Readable } from 'node:stream'
import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, it, onTestFinished } from 'vitest'
import { discover } from '../src/index.js'
import { addSignalsToResponses, describeSite, withSiteSignals, type SignalsToAdd } from '../src/publish.js'
import { startSite, type Site } from './start-site.js'

const LINK = '</llms.txt>; rel="describedby"'
const SIGNALS = describeSite({
  url: 'https://shop.example/',
  name: 'Bücher',
  contentSignal: { search: true, 'ai-train': false },
  resources: [
    { kind: 'ahp-manifest', url: '/.well-known/agent.json' },
    { kind: 'llms-txt', url: '/llms.txt', title: 'Überblick' },
    { kind: 'auth-md', url: '/auth.md' },
    { kind: 'openapi', url: '/openapi.json' },
    { kind: 'api-catalog', url: '/.well-known/api-catalog' },
    { kind: 'ai-catalog', url: '/.well-known/ard.json' },
  ],
})
const [START, MIDDLE, END] = ['<!doctype html><title>x</title>', '<body><p>Grüße</p>', '</body></html>']
const PAGE = START + MIDDLE + END
const AMENDED = START + SIGNALS.htmlHead + MIDDLE + SIGNALS.htmlNotice + END

/** An answer that both middlewares get, made by the means of Fetch and of node:http. */
interface Answer {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array
}

const MIDDLEWARES: readonly [
  string,
  (answer: Answer, signals?: SignalsToAdd) => (path: string, init?: RequestInit) => Promise<Response>,
][] = [
  [
    'withSiteSignals',
    ({ status = 200, headers = {}, body }, signals = SIGNALS) => {
      const respond = (): Response => new Response((body as string | undefined) ?? null, { status, headers })
      return (path, init) =>
        withSiteSignals(respond, signals)(new Request(`https://shop.example${path}`, init))
    },
  ],
  [
    'addSignalsToResponses',
    ({ status = 200, headers = {}, body }, signals = SIGNALS) =>
      async (path, init) => {
        const site = await nodeSite((_request, response) => {
          response.statusCode = status
          for (const [name, value] of Object.entries(headers)) response.setHeader(name, value)
          response.end(body)
        }, signals)
        return site.fetch(site.origin + path, { redirect: 'manual', ...init })
      },
  ],
]

function nodeSite(
  respond: (request: IncomingMessage, response: ServerResponse) => void,
  signals: SignalsToAdd = SIGNALS,
): Promise<Site> {
  const middleware = addSignalsToResponses(signals)
  return startSite({
    '*': (request, response) => {
      middleware(request, response, () => {
        respond(request, response)
      })
    },
  })
}

describe.each(MIDDLEWARES)('%s', (_name, serve) => {
  const html = { 'content-type': 'text/html; charset=utf-8' }

  it.each<[string, Answer, string]>([
    ['a page', { headers: html, body: PAGE }, SIGNALS.linkHeader],
    ['text', { headers: { 'content-type': 'text/plain' }, body: 'x' }, SIGNALS.linkHeader],
    [
      'links of its own',
      { headers: { link: '</a>; rel=next' }, body: 'x' },
      `</a>; rel=next, ${SIGNALS.linkHeader}`,
    ],
    ['the same links', { headers: { link: SIGNALS.linkHeader } }, SIGNALS.linkHeader],
    ['a redirect', { status: 302, headers: { location: '/y' } }, SIGNALS.linkHeader],
    ['no content', { status: 204 }, SIGNALS.linkHeader],
    ['not modified', { status: 304 }, SIGNALS.linkHeader],
    ['an error', { status: 500, headers: html, body: PAGE }, SIGNALS.linkHeader],
  ])('adds the Link field to %s', async (_case, answer, link) => {
    const response = await serve(answer)('/page')
    expect(response.headers.get('link')).toBe(link)
    expect(response.status).toBe(answer.status ?? 200)
    const isPage = answer.headers === html
    expect(await response.text()).toBe(isPage ? AMENDED : (answer.body ?? ''))
  })

  it('adds to head and body of a page, and corrects what describes its bytes', async () => {
    const headers = {
      ...html,
      'content-length': String(new TextEncoder().encode(PAGE).length),
      etag: '"v1"',
      'accept-ranges': 'bytes',
    }
    const response = await serve({ headers, body: PAGE })('/page')
    expect(await response.text()).toBe(AMENDED)
    expect(response.headers.get('etag')).toBe('W/"v1"')
    expect(response.headers.get('accept-ranges')).toBeNull()
    const length = response.headers.get('content-length')
    if (length !== null) expect(Number(length)).toBe(new TextEncoder().encode(AMENDED).length)
    const known = await serve({ status: 304, headers })('/page', { headers: { 'if-none-match': 'W/"v1"' } })
    expect(known.headers.get('etag')).toBe('W/"v1"')
  })

  it('describes a page to HEAD without a body', async () => {
    const headers = { ...html, 'content-length': '12' }
    const response = await serve({ headers })('/page', { method: 'HEAD' })
    expect([response.headers.get('content-length'), await response.text()]).toEqual([null, ''])
    expect(response.headers.get('link')).toBe(SIGNALS.linkHeader)
  })

  it('adds in bytes that are right in a page in Latin-1', async () => {
    const latin1 = (text: string): Uint8Array => Uint8Array.from(text, (character) => character.charCodeAt(0))
    const response = await serve({
      headers: { 'content-type': 'text/html; charset=latin1' },
      body: latin1(PAGE),
    })('/')
    expect(new Uint8Array(await response.arrayBuffer())).toEqual(latin1(AMENDED))
  })

  it.each<[string, Answer]>([
    ['JSON', { headers: { 'content-type': 'application/json' }, body: PAGE }],
    ['a fragment', { headers: html, body: '<li>x</li>' }],
    ['UTF-16', { headers: { 'content-type': 'text/html; charset=utf-16' }, body: PAGE }],
    ['a part', { status: 206, headers: { ...html, 'content-range': 'bytes 0-9/99' }, body: PAGE }],
    ['a download', { headers: { ...html, 'content-disposition': 'attachment' }, body: PAGE }],
    ['a page with a digest', { headers: { ...html, 'repr-digest': 'sha-256=:AAAA:' }, body: PAGE }],
    ['robots.txt of another path', { headers: { 'content-type': 'text/plain' }, body: 'User-agent: *' }],
  ])('leaves the bytes of %s', async (_case, answer) => {
    expect(await (await serve(answer)('/x')).text()).toBe(answer.body)
  })

  it('leaves a compressed page', async () => {
    const bytes = gzipSync(PAGE)
    const response = await serve({ headers: { ...html, 'content-encoding': 'gzip' }, body: bytes })('/x')
    const text = await response.text()
    expect(text === PAGE || text === new TextDecoder().decode(bytes)).toBe(true) // Fetch clients decompress.
  })

  it.each(SIGNALS.documents.map(({ path, contentType, body }) => [path, contentType, body]))(
    'serves %s where the application has none',
    async (path, contentType, body) => {
      for (const answer of [
        { status: 404, headers: { ...html, etag: '"x"', 'content-length': '4' }, body: 'none' },
        { status: 200, headers: html, body: PAGE },
      ]) {
        const response = await serve(answer)(`${path}?v=1`)
        expect(response.status).toBe(200)
        expect(response.headers.get('content-type')).toBe(contentType)
        expect(response.headers.get('link')).toBe(SIGNALS.linkHeader)
        expect(response.headers.get('etag')).toBeNull()
        expect(await response.text()).toBe(body)
        const head = await serve({ ...answer, body: '' })(path, { method: 'HEAD' })
        expect([head.status, await head.text()]).toEqual([200, ''])
      }
    },
  )

  it.each<[string, Answer]>([
    ['its own', { headers: { 'content-type': 'text/plain' }, body: '# Mine' }],
    ['an empty one', { headers: { 'content-type': 'text/plain' }, body: '' }],
    ['a refusal', { status: 401, headers: html, body: PAGE }],
    ['a redirect', { status: 301, headers: { location: '/docs/llms.txt' } }],
    ['a failure', { status: 503 }],
  ])('leaves %s at the path of a document', async (_case, answer) => {
    const response = await serve(answer)('/llms.txt')
    expect(response.status).toBe(answer.status ?? 200)
    expect(await response.text()).toContain(answer.body === PAGE ? 'Grüße' : (answer.body ?? ''))
  })

  it('serves no document to POST', async () => {
    expect((await serve({ status: 404 })('/llms.txt', { method: 'POST' })).status).toBe(404)
  })

  it.each(['\n', '\r\n'])('adds no lines to a robots.txt that has them, ended by %j', async (end) => {
    const own = `User-agent: x\nDisallow: /\n\n${SIGNALS.robotsLines}Sitemap: /sitemap.xml\n`.replaceAll(
      '\n',
      end,
    )
    const response = await serve({ headers: { 'content-type': 'text/plain' }, body: own })('/robots.txt')
    expect(await response.text()).toBe(own)
  })

  it('adds its lines to robots.txt', async () => {
    const own = 'User-agent: *\nDisallow: /private'
    const headers = { 'content-type': 'text/plain', 'content-length': String(own.length) }
    const response = await serve({ headers, body: own })('/robots.txt')
    expect(await response.text()).toBe(`${own}\n\n${SIGNALS.robotsLines}`)
    expect(SIGNALS.robotsLines).toContain('Content-Signal: search=yes, ai-train=no')
  })

  it('adds only what it is given', async () => {
    const response = await serve({ headers: html, body: PAGE }, { linkHeader: LINK })('/llms.txt')
    expect(response.headers.get('link')).toBe(LINK)
    expect(await response.text()).toBe(PAGE)
    const bare = await serve({ headers: html, body: PAGE }, {})('/x')
    expect(bare.headers.get('link')).toBeNull()
  })
})

describe('withSiteSignals', () => {
  const of = (respond: () => Response | Promise<Response>): Promise<Response> =>
    withSiteSignals(respond, SIGNALS)(new Request('https://shop.example/'))

  it('passes errors, of Fetch and of the handler, as they are', async () => {
    const error = Response.error()
    expect(await of(() => error)).toBe(error)
    await expect(of(() => Promise.reject(new Error('mine')))).rejects.toThrow('mine')
  })

  it('streams a page, and tells the handler when the reader goes away', async () => {
    let reason: unknown
    const body = new ReadableStream<Uint8Array>({
      pull: (controller) => {
        controller.enqueue(new TextEncoder().encode('<!doctype html><p>begin'))
      },
      cancel: (given) => {
        reason = given
      },
    })
    const response = await of(() => new Response(body, { headers: { 'content-type': 'text/html' } }))
    const reader = (response.body as ReadableStream<Uint8Array>).getReader()
    let text = ''
    while (!text.includes('begin')) text += new TextDecoder().decode((await reader.read()).value)
    expect(text.startsWith(`<!doctype html>${SIGNALS.htmlHead}<p>begin`)).toBe(true)
    await reader.cancel('gone')
    expect(reason).toBe('gone')
  })

  it('keeps several cookies and the arguments of the handler', async () => {
    const headers = new Headers([
      ['set-cookie', 'a=1'],
      ['set-cookie', 'b=2'],
    ])
    const handler = (_request: Request, name: string): Response => new Response(name, { headers })
    const response = await withSiteSignals(handler, SIGNALS)(new Request('https://shop.example/'), 'env')
    expect(response.headers.getSetCookie()).toEqual(['a=1', 'b=2'])
    expect(await response.text()).toBe('env')
  })
})

describe('addSignalsToResponses', () => {
  const type = { 'content-type': 'text/html' }

  it.each<[string, (response: ServerResponse) => void]>([
    ['end', (response) => response.setHeader('content-type', 'text/html').end(PAGE)],
    ['writeHead with an object', (response) => response.writeHead(200, type).end(PAGE)],
    ['writeHead with a reason', (response) => response.writeHead(200, 'Fine', type).end(PAGE)],
    ['writeHead with a list', (response) => response.writeHead(200, ['content-type', 'text/html']).end(PAGE)],
    [
      'writeHead with a length',
      (response) => response.writeHead(200, { ...type, 'Content-Length': Buffer.byteLength(PAGE) }).end(PAGE),
    ],
    [
      'flushHeaders',
      (response) => {
        response.setHeader('content-type', 'text/html').flushHeaders()
        response.end(PAGE)
      },
    ],
    [
      'writes of one byte',
      (response) => {
        response.writeHead(200, type)
        for (const byte of Buffer.from(PAGE)) response.write(Uint8Array.of(byte))
        response.end()
      },
    ],
    [
      'writes that wait for one another',
      (response) => {
        response.setHeader('content-type', 'text/html')
        const rest = PAGE.match(/[^]{1,7}/g) ?? []
        const next = (): void => {
          const piece = rest.shift()
          if (piece === undefined) response.end()
          else response.write(piece, 'utf8', next)
        }
        next()
      },
    ],
    [
      'base64',
      (response) => response.writeHead(200, type).end(Buffer.from(PAGE).toString('base64'), 'base64'),
    ],
    [
      'a pipe',
      (response) =>
        Readable.from([START, MIDDLE, END].map((part) => Buffer.from(part))).pipe(
          response.writeHead(200, type),
        ),
    ],
    [
      'a pipeline',
      (response) => {
        pipeline(Readable.from([Buffer.from(PAGE)]), response.writeHead(200, type), () => undefined)
      },
    ],
  ])('adds every signal to a page made by %s', async (_case, respond) => {
    const site = await nodeSite((_request, response) => {
      respond(response)
    })
    const response = await site.fetch(site.origin)
    expect(await response.text()).toBe(AMENDED)
    expect(response.headers.get('link')).toBe(SIGNALS.linkHeader)
    expect(response.headers.get('content-type')).toBe('text/html')
  })

  it('sends the same whatever the pieces', async () => {
    let pieces: readonly string[] = []
    const site = await nodeSite((_request, response) => {
      response.setHeader('content-type', 'text/html')
      for (const piece of pieces) response.write(piece)
      response.end()
    })
    await fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 20 }), async (sizes) => {
        const rest = Array.from(PAGE)
        pieces = [...sizes.map((size) => rest.splice(0, size).join('')), rest.join('')]
        expect(await (await site.fetch(site.origin)).text()).toBe(AMENDED)
      }),
      { numRuns: 30 },
    )
  })

  it('keeps several values of a field, and the reason and case that it was given', async () => {
    const site = await nodeSite((_request, response) => {
      response.setHeader('Link', ['</a>; rel=next', '</b>; rel=prev'])
      response.writeHead(201, 'Made', ['Set-Cookie', 'a=1', 'X-A', 'b', 'Set-Cookie', 'b=2']).end('x')
    })
    const raw = await rawResponse(site.origin)
    expect(raw.statusMessage).toBe('Made')
    expect(raw.rawHeaders.slice(0, 2)).toEqual([
      'Link',
      `</a>; rel=next, </b>; rel=prev, ${SIGNALS.linkHeader}`,
    ])
    expect(raw.headers['set-cookie']).toEqual(['a=1', 'b=2'])
    expect(raw.rawHeaders).toContain('X-A')
  })

  it('keeps the length of what it does not change, and tells that of what it does', async () => {
    const text = await nodeSite((_request, response) => response.end('x'))
    expect((await rawResponse(text.origin)).headers['content-length']).toBe('1')
    const page = await nodeSite((_request, response) =>
      response.setHeader('content-type', 'text/html').end(PAGE),
    )
    expect((await rawResponse(page.origin)).headers['content-length']).toBe(
      String(Buffer.byteLength(AMENDED)),
    )
  })

  it('sees the path under which a framework mounts it', async () => {
    const middleware = addSignalsToResponses(SIGNALS)
    const site = await startSite({
      '*': (request, response) => {
        const mounted = { method: 'GET', url: '/', originalUrl: request.url ?? '', headers: {} }
        middleware(mounted, response, () => response.writeHead(404, 'No').end('none'))
      },
    })
    const response = await site.fetch(`${site.origin}/llms.txt`)
    expect([response.status, response.statusText]).toEqual([200, 'OK'])
    expect(await response.text()).toBe(SIGNALS.llmsTxt)
  })

  it('lets the application fail as it would without', async () => {
    let error: unknown
    const site = await nodeSite((_request, response) => {
      try {
        response.write(1)
      } catch (thrown) {
        error = thrown
        response.end('x')
      }
    })
    expect(await (await site.fetch(site.origin)).text()).toBe('x')
    expect(error).toMatchObject({ code: 'ERR_INVALID_ARG_TYPE' })
    const broken = await nodeSite((_request, response) => {
      response.writeHead(200, type)
      response.write(START)
      response.destroy()
    })
    await expect(broken.fetch(broken.origin).then((response) => response.text())).rejects.toThrow()
  })

  it('adds to responses of HTTP/2', async () => {
    const middleware = addSignalsToResponses(SIGNALS)
    const server = createHttp2Server((request, response) => {
      middleware(request, response, () => {
        response.setHeader('content-type', 'text/html')
        response.end(PAGE)
      })
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const client = connect(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
    onTestFinished(() => {
      client.destroy()
      server.close()
    })
    const stream = client.request({ ':path': '/' })
    let [text, link] = ['', '']
    stream.setEncoding('utf8').on('data', (piece: string) => (text += piece))
    stream.on('response', (headers) => (link = String(headers['link'])))
    await new Promise((resolve) => stream.on('end', resolve))
    expect([text, link]).toEqual([AMENDED, SIGNALS.linkHeader])
  })

  it('comes too late without harm', async () => {
    const site = await startSite({
      '/': (request, response) => {
        response.writeHead(200)
        addSignalsToResponses(SIGNALS)(request, response)
        response.end('x')
      },
    })
    expect(await (await site.fetch(site.origin)).text()).toBe('x')
  })

  it('makes a site in which discovery finds and verifies what was described', async () => {
    const site = await nodeSite((request, response) => {
      if (request.url === '/') response.setHeader('content-type', 'text/html').end(PAGE)
      else response.writeHead(404).end()
    })
    const { resources, notices, signals } = await discover(site.origin, { fetch: site.fetch })
    const verified = resources.filter((resource) => resource.verified).map(({ kind }) => kind)
    expect(verified.sort()).toEqual(['ai-catalog', 'api-catalog', 'llms-txt', 'robots-txt'])
    expect(resources.find(({ kind }) => kind === 'llms-txt')?.sources.map(({ name }) => name)).toEqual([
      'http-link',
      'html-link',
      'probe',
    ])
    expect(notices).toHaveLength(1)
    expect(signals.robots?.contentSignal).toEqual({ search: true, 'ai-train': false })
  })
})

it.each([
  [{ linkHeader: 1 }, 'signals.linkHeader'],
  [{ documents: {} }, 'signals.documents'],
  [null, 'signals'],
  [undefined, 'signals'],
])('refuses %j before any request', (signals, option) => {
  const expected = expect.objectContaining({ code: 'invalid_option', option }) as Error
  expect(() => addSignalsToResponses(signals as never)).toThrow(expected)
  expect(() => withSiteSignals(() => new Response(), signals as never)).toThrow(expected)
})

function rawResponse(url: string): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    httpRequest(url, (response) => {
      response.resume()
      response.on('end', () => {
        resolve(response)
      })
    })
      .on('error', reject)
      .end()
  })
}
