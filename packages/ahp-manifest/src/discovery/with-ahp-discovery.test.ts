import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { defineManifest } from '../manifest/define-manifest.js'
import { withAhpDiscovery, type AhpDiscoveryOptions } from './with-ahp-discovery.js'

const MANIFEST = defineManifest(
  {
    name: 'Shelf',
    endpoints: { content: '/llms.txt' },
    capabilities: [{ name: 'search', description: 'Finds reviews', mode: 'MODE2' }],
    content_signals: { ai_train: false, ai_input: true, search: true, attribution_required: true },
    integrations: { mcp: { url: '/mcp' } },
  },
  { baseUrl: 'https://shelf.example' },
)
const LINK =
  '</.well-known/agent.json>; rel="ahp-manifest agent-manifest"; type="application/agent+json", </llms.txt>; rel="describedby"; type="text/markdown"'
const PAGE = '<!doctype html><html><body><p>Hello</p></body></html>'

describe('withAhpDiscovery', () => {
  it('serves the manifest at its path', async () => {
    const response = await send('/.well-known/agent.json', page())
    expect(response.headers.get('content-type')).toBe('application/json')
    expect(await response.json()).toEqual(MANIFEST)
  })

  it.each(['application/agent+json', 'text/html;q=0.1, Application/Agent+JSON; q=0.5, */*'])(
    'answers a page with the manifest for Accept: %s',
    async (accept) => {
      const response = await send('/page', page(), { headers: { accept } })
      expect(response.headers.get('content-type')).toBe('application/json')
      expect(response.headers.get('vary')).toBe('Accept')
      expect(await response.json()).toEqual(MANIFEST)
    },
  )

  it.each([
    '*/*',
    'application/*',
    'application/json',
    'application/agent+json;q=0',
    'text/html, "application/agent+json"',
  ])('answers with the page for Accept: %s', async (accept) => {
    expect(await (await send('/page', page(), { headers: { accept } })).text()).toContain('Hello')
  })

  it.each(['/agent/converse', '/agent/converse/status/1', '/mcp', '/own/path'])(
    'negotiates nothing at %s',
    async (path) => {
      const init = { headers: { accept: 'application/agent+json' } }
      const response = await send(path, new Response('own'), init, { exceptPaths: ['/own'] })
      expect(await response.text()).toBe('own')
      expect(response.headers.get('vary')).toBeNull()
    },
  )

  it('negotiates no POST', async () => {
    const init = { method: 'POST', headers: { accept: 'application/agent+json' } }
    expect(await (await send('/page', new Response('posted'), init)).text()).toBe('posted')
  })

  it.each([
    ['a page', page()],
    ['an error page', page({ status: 500 })],
    ['a missing page', page({ status: 404, statusText: 'Nothing' })],
    ['a redirect', Response.redirect('https://shelf.example/other', 302)],
    ['JSON', Response.json({ a: 1 })],
    ['an empty response', new Response(null, { status: 204 })],
    ['an unchanged page', new Response(null, { status: 304 })],
    ['a refusal', new Response('no', { status: 405, headers: { allow: 'GET' } })],
  ])('adds Link and Vary to %s, and keeps its status', async (_, original) => {
    const { status, statusText } = original
    const response = await send('/page', original)
    expect(response.headers.get('link')).toBe(LINK)
    expect(response.headers.get('vary')).toBe('Accept')
    expect({ status: response.status, statusText: response.statusText }).toEqual({ status, statusText })
  })

  it('keeps the links, the variations and the cookies of a response', async () => {
    const headers = new Headers({ link: '</style.css>; rel=preload', vary: 'Cookie' })
    headers.append('set-cookie', 'a=1')
    headers.append('set-cookie', 'b=2, c')
    const response = await send('/page', new Response('x', { headers }))
    expect(response.headers.get('link')).toBe(`</style.css>; rel=preload, ${LINK}`)
    expect(response.headers.get('vary')).toBe('Cookie, Accept')
    expect(response.headers.getSetCookie()).toEqual(['a=1', 'b=2, c'])
  })

  it('adds nothing to a response that leads to a manifest already', async () => {
    const link = '</agent.json>; rel="ahp-manifest"'
    expect((await send('/page', new Response('x', { headers: { link } }))).headers.get('link')).toBe(link)
  })

  it.each(['*', 'accept', 'Cookie, Accept'])('adds nothing to Vary: %s', async (vary) => {
    const response = await send('/page', new Response('x', { headers: { vary } }))
    expect(response.headers.get('vary')).toBe(vary)
  })

  it('puts the notice into a page, error pages included, and corrects what describes its bytes', async () => {
    const headers = {
      'content-length': String(PAGE.length),
      etag: '"v1"',
      'accept-ranges': 'bytes',
      'content-type': 'Text/HTML; charset=ISO-8859-1',
    }
    for (const status of [200, 404, 500]) {
      const response = await send('/page', page({ status, headers }))
      const [before, after] = PAGE.split('</body>')
      const text = await response.text()
      expect(
        text.startsWith(`${before ?? ''}<section class="ahp-notice" aria-label="AI Agent Notice" hidden`),
      ).toBe(true)
      expect(text.endsWith(`</section></body>${after ?? ''}`)).toBe(true)
      expect(text).toContain('POST /agent/converse')
      expect(response.headers.get('content-length')).toBeNull()
      expect(response.headers.get('accept-ranges')).toBeNull()
      expect(response.headers.get('etag')).toBe('W/"v1"')
    }
  })

  it.each([
    ['JSON', { 'content-type': 'application/json' }],
    ['text', { 'content-type': 'text/plain' }],
    ['no type', {}],
    ['XHTML', { 'content-type': 'application/xhtml+xml' }],
    ['UTF-16', { 'content-type': 'text/html; charset="utf-16le"' }],
    ['a download', { 'content-type': 'text/html', 'content-disposition': 'attachment; filename=a.html' }],
    ['a page with a digest', { 'content-type': 'text/html', 'repr-digest': 'sha-256=:AAAA:' }],
    ['a signed page', { 'content-type': 'text/html', 'signature-input': 'a=()' }],
  ])('leaves the bytes of %s, and what describes them', async (_, type) => {
    const headers = { ...type, 'content-length': String(PAGE.length), etag: '"v1"' }
    const response = await send('/page', new Response(new TextEncoder().encode(PAGE), { headers }))
    expect(await response.text()).toBe(PAGE)
    expect(response.headers.get('content-length')).toBe(String(PAGE.length))
    expect(response.headers.get('etag')).toBe('"v1"')
    expect(response.headers.get('link')).toBe(LINK)
  })

  it('leaves a compressed page', async () => {
    const bytes = gzipSync(PAGE)
    const headers = { 'content-type': 'text/html', 'content-encoding': 'gzip' }
    const response = await send('/page', new Response(bytes, { headers }))
    expect(new Uint8Array(await response.arrayBuffer())).toEqual(new Uint8Array(bytes))
  })

  it('leaves a part of a page', async () => {
    const headers = { 'content-type': 'text/html', 'content-range': `bytes 0-4/${PAGE.length}` }
    const response = await send('/page', new Response('<html', { status: 206, headers }))
    expect(await response.text()).toBe('<html')
    expect(response.headers.get('content-range')).not.toBeNull()
  })

  it('describes a page to HEAD as to GET, without a body', async () => {
    const headers = { 'content-type': 'text/html', 'content-length': '10', etag: '"v1"' }
    const response = await send('/page', new Response(null, { headers }), { method: 'HEAD' })
    expect(response.body).toBeNull()
    expect(response.headers.get('content-length')).toBeNull()
    expect(response.headers.get('etag')).toBe('W/"v1"')
  })

  it('confirms a page by the tag it was given', async () => {
    const notModified = (): Response =>
      new Response(null, { status: 304, headers: { etag: '"v1"', 'content-type': 'text/html' } })
    const asked = (tag: string): Promise<Response> =>
      send('/page', notModified(), { headers: { 'if-none-match': tag } })
    expect((await asked('W/"v1"')).headers.get('etag')).toBe('W/"v1"')
    expect((await asked('"v1"')).headers.get('etag')).toBe('"v1"')
  })

  it('passes on what is no message of its own', async () => {
    const failed = Response.error()
    expect(await send('/page', failed)).toBe(failed)
  })

  it('passes on what the handler throws, and the arguments it is given', async () => {
    const failure = new Error('handler')
    const failing = withAhpDiscovery(() => Promise.reject(failure), MANIFEST)
    await expect(failing(request('/page'))).rejects.toBe(failure)
    const handler = withAhpDiscovery((_: Request, name: string) => new Response(name), MANIFEST)
    expect(await (await handler(request('/page'), 'env')).text()).toBe('env')
  })

  it('streams: the start of a page arrives before its end is made', async () => {
    let finish = (): void => undefined
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        controller.enqueue(new TextEncoder().encode('<!doctype html><body>begin '.padEnd(64, '.')))
        finish = () => {
          controller.enqueue(new TextEncoder().encode('</body>'))
          controller.close()
        }
      },
    })
    const response = await send('/page', new Response(body, { headers: { 'content-type': 'text/html' } }))
    const reader = (response.body as ReadableStream<Uint8Array>).getReader()
    const first = new TextDecoder().decode((await reader.read()).value)
    expect(first).toContain('begin')
    finish()
    let rest = ''
    for (let part = await reader.read(); !part.done; part = await reader.read())
      rest += new TextDecoder().decode(part.value)
    expect(rest).toMatch(/^<section class="ahp-notice".*<\/section><\/body>$/)
  })

  it('tells the handler when a reader goes away, and the reader when the page breaks', async () => {
    let reason: unknown
    const endless = new ReadableStream<Uint8Array>({
      pull: (controller) => {
        controller.enqueue(new TextEncoder().encode('<p>'))
      },
      cancel: (given) => {
        reason = given
      },
    })
    const headers = { 'content-type': 'text/html' }
    await (await send('/page', new Response(endless, { headers }))).body!.cancel('gone')
    expect(reason).toBe('gone')

    const broken = new ReadableStream({
      pull: (controller) => {
        controller.error(new Error('broken'))
      },
    })
    await expect((await send('/page', new Response(broken, { headers }))).text()).rejects.toThrow('broken')
  })

  it('adds no notice where none is wanted', async () => {
    const response = await send('/page', page(), {}, { notice: false })
    expect(await response.text()).toBe(PAGE)
    expect(response.headers.get('link')).toBe(LINK)
  })

  it('can show the notice to text extractors', async () => {
    const text = await (await send('/page', page(), {}, { notice: 'visually-hidden' })).text()
    expect(text).toContain('clip-path')
    expect(text).not.toContain('display:none')
  })
})

describe('options of withAhpDiscovery', () => {
  it.each([
    [{ notice: 'constructor' }, 'notice'],
    [{ allowOrigin: 'a\r\nset-cookie: b' }, 'allowOrigin'],
    [{ exceptPaths: '/api' }, 'exceptPaths'],
    [{ exceptPaths: ['api'] }, 'exceptPaths'],
    [{ maxAgeSeconds: Number.NaN }, 'maxAgeSeconds'],
    [{ llmsTxtUrl: '/a b' }, 'llmsTxtUrl'],
  ])('refuses %j before any request', (options, name) => {
    expect(() => withAhpDiscovery(() => page(), MANIFEST, options as never)).toThrow(
      expect.objectContaining({
        code: 'invalid_option',
        message: expect.stringMatching(`^${name} `) as string,
      }),
    )
  })

  it('refuses what is no handler', () => {
    expect(() => withAhpDiscovery(undefined as never, MANIFEST)).toThrow(/^handler /)
  })
})

interface PageInit {
  readonly status?: number
  readonly statusText?: string
  readonly headers?: Readonly<Record<string, string>>
}

function page({ headers, ...init }: PageInit = {}): Response {
  return new Response(PAGE, { ...init, headers: { 'content-type': 'text/html', ...headers } })
}

function request(path: string, init?: RequestInit): Request {
  return new Request(`https://shelf.example${path}`, init)
}

function send(
  path: string,
  response: Response,
  init?: RequestInit,
  options?: AhpDiscoveryOptions,
): Promise<Response> {
  return withAhpDiscovery(() => response, MANIFEST, options)(request(path, init))
}
