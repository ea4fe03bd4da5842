import { createSafeFetch } from '@doorplate/safe-fetch'
import { describe, expect, it } from 'vitest'
import { discover, type DiscoverOptions, type DiscoveryResult, type Resource } from '../src/index.js'
import { startSite, type Route, type Site } from './start-site.js'

async function discoverSite(
  routes: Readonly<Record<string, Route>>,
  options: DiscoverOptions = {},
  path = '/',
): Promise<{ site: Site; result: DiscoveryResult; at: (path: string) => Resource | undefined }> {
  const site = await startSite(routes)
  const result = await discover(site.origin + path, { fetch: site.fetch, ...options })
  const at = (wanted: string): Resource | undefined =>
    [...result.resources, ...result.rejected].find(
      ({ url }) => url === (wanted.startsWith('http') ? wanted : site.origin + wanted),
    )
  return { site, result, at }
}

const page = (head: string, headers: Record<string, string | string[]> = {}): Route => ({
  type: 'text/html',
  headers,
  body: `<!doctype html><head>${head}</head><body>`,
})

const ISSUER_METADATA = (issuer: string): object => ({
  issuer,
  authorization_endpoint: `${issuer}/authorize`,
  token_endpoint: `${issuer}/token`,
  jwks_uri: `${issuer}/keys`,
  response_types_supported: ['code'],
  subject_types_supported: ['public'],
  id_token_signing_alg_values_supported: ['RS256'],
})

describe('discover', () => {
  it('merges what several sources say of one URL, best first', async () => {
    const { result, at } = await discoverSite({
      '/': page(
        '<link rel="describedby" href="/llms.txt" title="Index"><meta name="llms" content="llms.txt"><link rel="service-desc" href="/openapi.json">',
        { link: '</llms.txt>; rel="describedby alternate"; type="text/markdown"' },
      ),
      '/llms.txt': { type: 'text/markdown', body: '# Example\n- [a](/a)' },
      '/openapi.json': { json: { openapi: '3.1.0', info: { title: 'x', version: '1' }, paths: {} } },
    })
    expect(at('/llms.txt')).toMatchObject({
      kind: 'llms-txt',
      state: 'verified',
      title: 'Index',
      mediaType: 'text/markdown',
      sources: [
        { name: 'http-link', relations: ['describedby', 'alternate'] },
        { name: 'html-link', relations: ['describedby'] },
        { name: 'metadata', relations: ['llms'] },
        { name: 'probe' },
      ],
    })
    expect(at('/openapi.json')).toMatchObject({ kind: 'openapi', version: '3.1.0', verified: true })
    expect(result.resources).toHaveLength(2)
    expect(result.omitted).toBe(0)
  })

  it('asks a healthy site that offers nothing 18 times: the page, 15 paths, 2 controls', async () => {
    const { site, result } = await discoverSite({ '/': page('') })
    expect(site.requests).toHaveLength(18)
    expect(site.requests[0]).toBe('GET /')
    expect(result.resources).toEqual([])
    expect(result.rejected).toHaveLength(15)
  })

  it('asks a healthy site in a depth of two: the page, then everything else at once', async () => {
    const waiting: (() => void)[] = []
    const barrier: Route = (_request, response) => {
      waiting.push(() => response.writeHead(404).end())
      // Nobody is answered before all have asked.
      if (waiting.length === 17) for (const answer of waiting) answer()
    }
    const { site, result } = await discoverSite(
      { '/': page('<link rel="describedby" href="/llms.txt">'), '*': barrier },
      { concurrency: 64 },
    )
    expect(site.requests).toHaveLength(18)
    expect(result.rejected.map(({ state }) => state)).toEqual(Array<string>(14).fill('absent'))
  })

  it('reads no more of an endless page than it may', async () => {
    const { result, at } = await discoverSite(
      {
        '/': (_request, response) => {
          response.setHeader('content-type', 'text/html')
          response.write('<!doctype html><link rel="describedby" href="/llms.txt">')
          const write = (): void => {
            while (!response.destroyed && response.write('<p>more</p>'.repeat(5_000)));
          }
          response.on('drain', write)
          write()
        },
      },
      { maxPageBytes: 300_000, probe: false },
    )
    expect(result.page).toMatchObject({ state: 'read', bytes: 300_000, truncated: true })
    expect(at('/llms.txt')).toMatchObject({ state: 'absent' })
  })

  it('keeps a broken claim in the result and a path that was only tried out of it', async () => {
    const { result } = await discoverSite({ '/': page('<link rel="api-catalog" href="/catalog">') })
    expect(result.resources).toMatchObject([
      { url: expect.stringMatching(/\/catalog$/) as unknown, state: 'absent', reasons: ['status-404'] },
    ])
  })

  it('lets content decide the kind of what is advertised', async () => {
    const { at } = await discoverSite({
      '/': page('<link rel="api-catalog" href="/.well-known/ai-manifest.json">'),
      '/.well-known/ai-manifest.json': {
        json: {
          aadp_version: '1.0',
          application: {
            name: 'Shelf',
            description: 'Books.',
            publisher: { name: 'S', url: 'https://books.test/' },
          },
          discovery: { sitemap_index: 'https://books.test/ai/sitemap-index.json' },
          policies: { robots: 'https://books.test/robots.txt', terms: 'https://books.test/terms' },
        },
      },
    })
    expect(at('/.well-known/ai-manifest.json')).toMatchObject({
      kind: 'aadp-manifest',
      version: '1.0',
      state: 'verified',
    })
  })

  it('reports what a broken AADP manifest breaks', async () => {
    const { at } = await discoverSite({
      '/': page(''),
      '/.well-known/ai-manifest.json': { json: { aadp_version: '1.0' } },
    })
    const manifest = at('/.well-known/ai-manifest.json')
    expect(manifest).toMatchObject({ kind: 'aadp-manifest', state: 'invalid' })
    expect(manifest?.reasons[0]).toMatch(/^AADP1-MAN-\d+ at \//)
  })

  it('expands catalogues by one level and no further', async () => {
    const { site, at } = await discoverSite({
      '/': page(''),
      '/.well-known/ard.json': {
        json: {
          entries: [
            {
              identifier: 'urn:air:x:self',
              type: 'application/ai-catalog+json',
              url: '/.well-known/ard.json',
            },
            { identifier: 'urn:air:x:sub', type: 'application/ai-catalog+json', url: '/sub.json' },
            {
              identifier: 'urn:air:x:mcp',
              displayName: 'W',
              type: 'application/mcp-server-card+json',
              url: 'https://other.example/card',
            },
            { identifier: 'urn:air:x:in', type: 'application/a2a-agent-card+json', data: { name: 'Geo' } },
            { identifier: 'bad', type: 'x/y', url: '/a', data: {} },
          ],
        },
      },
      '/sub.json': {
        json: {
          specVersion: '1.0',
          entries: [{ identifier: 'x', mediaType: 'application/mcp-server-card+json', url: '/deep.json' }],
        },
      },
    })
    expect(at('/sub.json')).toMatchObject({
      kind: 'ai-catalog',
      verified: true,
      sources: [{ name: 'document', document: `${site.origin}/.well-known/ard.json`, via: 'entries' }],
    })
    expect(at('https://other.example/card')).toMatchObject({
      kind: 'mcp-server-card',
      state: 'advertised',
      crossOrigin: true,
      title: 'W',
    })
    expect(at('/.well-known/ard.json#/entries/3/data')).toMatchObject({
      kind: 'a2a-agent-card',
      inline: true,
      state: 'advertised',
    })
    expect(at('/.well-known/ard.json')?.warnings).toEqual(['entry 4: exactly one of url/data'])
    expect(at('/deep.json')).toBeUndefined()
    expect(site.requests.filter((request) => request.includes('deep'))).toEqual([])
  })

  it('never fetches across origins unless told to, and never calls an endpoint', async () => {
    const other = await startSite({ '/card.json': { json: {} } })
    const head = `<link rel="mcp" href="/mcp"><link rel="a2a" href="${other.origin}/card.json"><link rel="authorization_endpoint" href="/authorize">`
    const { site, at } = await discoverSite({ '/': page(head) })
    expect(at(`${other.origin}/card.json`)).toMatchObject({ state: 'advertised', crossOrigin: true })
    expect(at('/mcp')).toMatchObject({ kind: 'mcp-endpoint', state: 'advertised' })
    expect(other.requests).toEqual([])
    expect(site.requests).not.toContain('GET /mcp')
    expect(site.requests).not.toContain('GET /authorize')
    await discover(site.origin, { fetch: site.fetch, verify: 'any-origin' })
    expect(other.requests).toEqual([]) // the transport of this test reaches one origin only
  })

  it('looks for the card of an MCP server beside its endpoint (SEP-2127)', async () => {
    const { site, at } = await discoverSite({
      '/': page('<link rel="mcp" href="/mcp?x=1"><link rel="mcp" href="/other/">'),
      '/mcp/server-card': {
        json: {
          $schema: 'https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json',
          name: 'com.example/shop',
          version: '1.0.0',
          description: 'Shop',
          remotes: [{ type: 'streamable-http', url: '/mcp' }],
        },
        type: 'application/mcp-server-card+json',
      },
    })
    expect(at('/mcp/server-card')).toMatchObject({
      kind: 'mcp-server-card',
      variant: 'sep-2127',
      verified: true,
    })
    expect(at('/other/server-card')).toMatchObject({ state: 'absent', sources: [{ name: 'probe' }] })
    expect(site.requests.filter((request) => /GET \/(?:mcp(?:\?x=1)?|other\/)$/.test(request))).toEqual([])
    const quiet = await discoverSite({ '/': page('<link rel="mcp" href="/mcp">') }, { probe: false })
    expect(quiet.site.requests).toEqual(['GET /'])
  })

  it('reads a card of a megabyte, and a page of ten', async () => {
    const tools = Array.from({ length: 6000 }, (_, index) => ({
      name: `tool-${index}`,
      description: 'x'.repeat(100),
    }))
    const { result, at } = await discoverSite({
      '/': page(
        `<link rel="mcp-server-card" href="/card.json">${'<p>text</p>'.repeat(800_000)}<link rel="ard" href="/late">`,
      ),
      '/card.json': { json: { serverInfo: { name: 'big', version: '1' }, tools } },
    })
    expect(at('/card.json')).toMatchObject({ verified: true, variant: 'sep-1649' })
    expect(at('/card.json')?.evidence?.bytes).toBeGreaterThan(800_000)
    expect(at('/late')).toBeDefined()
    expect(result.page.bytes).toBeGreaterThan(8_000_000)
  })

  it('sends page headers with the page and with nothing else', async () => {
    const { site } = await discoverSite(
      { '/': page('<link rel="api-catalog" href="/c">') },
      { pageHeaders: { authorization: 'Bearer secret', cookie: 'a=b' }, userAgent: 'Test/1' },
    )
    expect(site.headersOf('/')).toMatchObject({
      authorization: 'Bearer secret',
      cookie: 'a=b',
      'user-agent': 'Test/1',
    })
    expect(site.headersOf('/llms.txt')?.accept).toMatch(/^text\/markdown/)
    expect(site.headersOf('/c')?.accept).toMatch(/^application\/json/)
    for (const path of ['/c', '/llms.txt', '/.well-known/ard.json']) {
      expect(site.headersOf(path)).toMatchObject({ 'user-agent': 'Test/1' })
      expect(site.headersOf(path)).not.toHaveProperty('authorization')
      expect(site.headersOf(path)).not.toHaveProperty('cookie')
    }
  })

  it('finds OAuth metadata in the documented order (case 21)', async () => {
    const site: Site = await startSite({
      '/mcp/org/?x=1': { status: 401 },
      '/.well-known/oauth-protected-resource/mcp/org': { status: 401 },
      '/.well-known/oauth-protected-resource': (_request, response) => {
        response.setHeader('content-type', 'application/json')
        response.end(
          JSON.stringify({
            resource: `${site.origin}/mcp/org`,
            authorization_servers: [`${site.origin}/tenant1`],
          }),
        )
      },
      '/tenant1/.well-known/openid-configuration': (_request, response) =>
        response
          .setHeader('content-type', 'application/json')
          .end(JSON.stringify(ISSUER_METADATA(`${site.origin}/tenant1`))),
      '/.well-known/oauth-authorization-server/mcp/org': {
        type: 'text/html',
        body: '<!doctype html><title>App</title>',
      },
    })
    const result = await discover(`${site.origin}/mcp/org/?x=1`, { fetch: site.fetch })
    const states = new Map(
      [...result.resources, ...result.rejected].map((resource) => [
        resource.url.replace(site.origin, ''),
        resource,
      ]),
    )
    // The resource lies under a path, and the metadata at the root names it: not what RFC 9728 derives, but not elsewhere either.
    expect(states.get('/.well-known/oauth-protected-resource')).toMatchObject({
      kind: 'oauth-protected-resource',
      verified: true,
    })
    expect(states.get('/tenant1/.well-known/openid-configuration')).toMatchObject({
      kind: 'openid-configuration',
      verified: true,
      sources: [{ name: 'document', via: 'authorization_servers' }],
    })
    expect(states.get('/.well-known/oauth-authorization-server/mcp/org')).toMatchObject({ state: 'soft-404' })
    const tenant = site.requests.filter((request) => request.includes('tenant1'))
    expect(tenant).toEqual([
      'GET /.well-known/oauth-authorization-server/tenant1',
      'GET /.well-known/openid-configuration/tenant1',
      'GET /tenant1/.well-known/openid-configuration',
    ])
  })

  it('follows an issuer on another origin only where that is allowed (case 21)', async () => {
    const auth: Site = await startSite({
      '/tenant1/.well-known/openid-configuration': (_request, response) =>
        response
          .setHeader('content-type', 'application/json')
          .end(JSON.stringify(ISSUER_METADATA(`${auth.origin}/tenant1`))),
    })
    const site: Site = await startSite({
      '/': page(''),
      '/.well-known/oauth-protected-resource': (_request, response) => {
        const metadata = { resource: `${site.origin}/`, authorization_servers: [`${auth.origin}/tenant1`] }
        response.setHeader('content-type', 'application/json').end(JSON.stringify(metadata))
      },
    })
    const fetch = createSafeFetch({ dangerouslyAllow: ['127.0.0.1'] })
    const careful = await discover(site.origin, { fetch })
    expect(careful.resources.find(({ crossOrigin }) => crossOrigin)).toMatchObject({
      url: `${auth.origin}/.well-known/oauth-authorization-server/tenant1`,
      state: 'advertised',
    })
    expect(auth.requests).toEqual([])
    const allowed = await discover(site.origin, { fetch, verify: 'any-origin' })
    await fetch.close()
    expect(allowed.resources.find(({ crossOrigin }) => crossOrigin)).toMatchObject({
      url: `${auth.origin}/tenant1/.well-known/openid-configuration`,
      kind: 'openid-configuration',
      state: 'verified',
      claims: { issuer: `${auth.origin}/tenant1` },
    })
  })

  it('follows the challenge of a protected page', async () => {
    const { at } = await discoverSite({
      '/': {
        status: 401,
        headers: { 'www-authenticate': 'Basic realm="x", Bearer resource_metadata="/meta"' },
      },
    })
    expect(at('/meta')).toMatchObject({
      kind: 'oauth-protected-resource',
      sources: [{ name: 'challenge', via: 'bearer resource_metadata' }],
      state: 'absent',
    })
  })

  it('reads robots.txt for pointers and for what it says to this agent', async () => {
    const { result, at } = await discoverSite(
      {
        '/a/b?c': page(''),
        '/robots.txt': {
          type: 'text/plain',
          body: 'User-agent: *\nContent-Signal: ai-train=no\nDisallow: /a/\nSitemap: /sitemap.xml\nAgentmap: /agents.json',
        },
        '/agents.json': { json: { entries: [] } },
      },
      {},
      '/a/b?c',
    )
    expect(result.signals.robots).toEqual({
      group: '*',
      contentSignal: { 'ai-train': false },
      allowed: false,
    })
    expect(at('/sitemap.xml')).toMatchObject({
      kind: 'sitemap',
      state: 'advertised',
      sources: [{ name: 'robots', via: 'sitemap' }],
    })
    expect(at('/agents.json')?.sources).toEqual([{ name: 'robots', via: 'agentmap' }])
  })

  it('redacts signed URLs and never fetches them (case 31)', async () => {
    const { result } = await discoverSite({
      '/': page(''),
      '/.well-known/api-catalog': {
        json: {
          linkset: [
            {
              anchor: '/',
              'service-desc': [
                {
                  href: '/openapi.json?X-Amz-Credential=AKIA&X-Amz-Expires=3600&X-Amz-Signature=abc',
                  type: 'application/vnd.oai.openapi+json',
                },
              ],
            },
          ],
        },
      },
    })
    const signed = result.resources.find(({ ephemeral }) => ephemeral)
    expect(signed).toMatchObject({ kind: 'openapi', state: 'advertised', ephemeral: true })
    expect(signed?.url).toMatch(/X-Amz-Credential=REDACTED&X-Amz-Expires=REDACTED&X-Amz-Signature=REDACTED$/)
    expect(JSON.stringify(result)).not.toMatch(/AKIA|abc"/)
    expect(result.resources.find(({ kind }) => kind === 'api-catalog')).toMatchObject({
      verified: true,
      warnings: ['media-type-not-linkset'],
    })
  })

  it('ranks before it caps', async () => {
    const alternates = Array.from(
      { length: 80 },
      (_, index) => `<link rel="alternate" type="text/markdown" href="https://x.example/${index}.md">`,
    ).join('')
    const { result } = await discoverSite(
      { '/': page(alternates), '/llms.txt': { type: 'text/plain', body: '# T\n- [a](/a)' } },
      { maxResources: 10 },
    )
    expect(result.resources).toHaveLength(10)
    expect(result.resources[0]?.kind).toBe('llms-txt')
    expect(result.omitted).toBe(71)
  })

  it('leaves a claim a claim where the budget does not reach', async () => {
    const { result, at } = await discoverSite(
      { '/': page('<link rel="ahp-manifest" href="/m">') },
      { maxRequests: 10 },
    )
    expect(result.budget.stopped).toBe('requests-exhausted')
    expect(at('/m')).toMatchObject({ state: 'advertised', reasons: [] })
  })

  it('finds links after any number of others', async () => {
    const noise = Array.from(
      { length: 5000 },
      (_, index) => `<link rel="alternate" hreflang="l${index}" href="/${index}">`,
    ).join('')
    const { at } = await discoverSite({ '/': page(`${noise}<link rel="ahp-manifest" href="/m">`) })
    expect(at('/m')).toMatchObject({ kind: 'ahp-manifest' })
  })

  it('probes even if the page fails', async () => {
    const { result, at } = await discoverSite({
      '/': (_request, response) => response.destroy(),
      '/llms.txt': { type: 'text/plain', body: '# T\n- [a](/a)' },
    })
    expect(result.page).toMatchObject({ state: 'error', reasons: ['network-error'] })
    expect(at('/llms.txt')?.verified).toBe(true)
  })

  it('keeps what came of a page that breaks off', async () => {
    const { result, at } = await discoverSite({
      '/': (_request, response) => {
        response.writeHead(200, { 'content-type': 'text/html', 'content-length': '100000' })
        response.write('<link rel="ahp-manifest" href="/m">', () => setImmediate(() => response.destroy()))
      },
    })
    expect(result.page).toMatchObject({ state: 'read', truncated: true })
    expect(at('/m')).toBeDefined()
  })

  it('probes the origin where the page ended', async () => {
    const { site, result } = await discoverSite({
      '/': { status: 301, headers: { location: '/en/' } },
      '/en/': page('<link rel="ahp-manifest" href="m">'),
    })
    expect(result.finalUrl).toBe(`${site.origin}/en/`)
    expect(result.resources[0]?.url).toBe(`${site.origin}/en/m`)
  })

  it('decodes the page by mark, header or meta', async () => {
    const head = '<meta charset="windows-1251"><link rel="ard" href="/x" title="\u041f">'
    const bytes = Uint8Array.from(head, (character) =>
      character === '\u041f' ? 0xcf : character.charCodeAt(0),
    )
    const { at } = await discoverSite({ '/': { type: 'text/html', body: bytes } })
    expect(at('/x')?.title).toBe('П')
  })

  it('recognises a document that was asked for by its own URL', async () => {
    const { result } = await discoverSite(
      {
        '/card': {
          json: {
            name: 'X',
            supportedInterfaces: [{ url: '/a2a', protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
            skills: [],
          },
        },
      },
      { probe: false },
      '/card',
    )
    expect(result.resources).toMatchObject([
      { kind: 'a2a-agent-card', version: '1.0', sources: [{ name: 'response' }] },
    ])
  })

  it.each([
    ['a_b.example', ['_agent.a_b.example']],
    ['a.example.', ['_agent.a.example']],
    ['a*b.example', []],
    ['127.0.0.1', []],
    ['[2001:db8::1]', []],
  ])('asks DNS of %s what it can hold, and goes on', async (host, names) => {
    const asked: string[] = []
    const resolver = {
      resolveTxt: (name: string) => {
        asked.push(name)
        return Promise.resolve([])
      },
    }
    const fetch = (): Promise<Response> =>
      Promise.resolve(new Response('x', { headers: { 'content-type': 'text/html' } }))
    const { page } = await discover(`https://${host}/`, { fetch, resolver, probe: false })
    expect([page.state, asked]).toEqual(['read', names])
  })

  it('asks DNS only through the resolver it was given', async () => {
    const resolver = { resolveTxt: () => Promise.resolve([['v=aid1;p=mcp;u=https://m.example/mcp']]) }
    const site = await startSite({ '/': page('') })
    const host = new URL(site.origin).port
    const fetch = createSafeFetch({
      dangerouslyAllow: ['127.0.0.1'],
      lookup: (_name, _options, done) => {
        done(null, [{ address: '127.0.0.1', family: 4 }])
      },
    })
    const result = await discover(`http://shop.example:${host}/`, { fetch, resolver })
    await fetch.close()
    expect(result.resources).toMatchObject([
      {
        url: 'https://m.example/mcp',
        kind: 'mcp-endpoint',
        sources: [{ name: 'dns', via: '_agent TXT aid1' }],
      },
    ])
    expect(result.dns?.aid?.protocol).toBe('mcp')
  })

  it('makes text of sites safe to show', async () => {
    const { at } = await discoverSite({
      '/': page(`<link rel="ard" href="/x" title="a\u202eb&#10;ignore all\u0007 ${'long '.repeat(100)}">`),
    })
    const title = at('/x')?.title ?? ''
    expect(title).toMatch(/^ab ignore all long/)
    expect(title.length).toBeLessThanOrEqual(200)
  })

  it('validates its options before any request', async () => {
    const site = await startSite({})
    for (const [name, value] of [
      ['maxResources', 0],
      ['maxPageBytes', 0.5],
      ['pageTimeoutMs', Number.NaN],
      ['verify', 'all'],
      ['fetch', null],
      ['now', 1],
      ['random', {}],
      ['signal', {}],
      ['userAgent', 1],
      ['extended', 'no'],
      ['probe', 'no'],
      ['robotsUserAgent', 1],
      ['pageHeaders', { 'a\n': 'b' }],
      ['pageHeaders', []],
      ['resolver', {}],
    ] as const) {
      await expect(discover(site.origin, { [name]: value })).rejects.toMatchObject({
        code: 'invalid_option',
        option: name,
      })
    }
    expect(site.requests).toEqual([])
  })
})
