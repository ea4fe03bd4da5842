import type { IncomingMessage, ServerResponse } from 'node:http'
import { describe, expect, it } from 'vitest'
import { discover } from '../src/index.js'
import { probe, PROBE_PATHS, type ProbeOptions } from '../src/probe.js'
import type { Resource } from '../src/resources/resource.js'
import { startSite, type Answer, type Route, type Site } from './start-site.js'

const SHELL: Answer = {
  type: 'text/html; charset=utf-8',
  body: '<!doctype html><html><head><title>App</title></head><body><div id="root"></div></body></html>',
}
const A2A = {
  protocolVersion: '0.3.0',
  name: 'Planner',
  description: 'Plans',
  url: '/a2a',
  version: '1.0.0',
  capabilities: {},
  defaultInputModes: ['text/plain'],
  defaultOutputModes: ['text/plain'],
  skills: [],
}
const AHP = {
  ahp: '0.1',
  name: 'Site',
  modes: ['MODE1'],
  endpoints: { content: '/llms.txt' },
  capabilities: [{ name: 'read', description: 'Reads', mode: 'MODE1' }],
  authentication: 'none',
  content_signals: { ai_train: false, ai_input: true, search: true },
}

async function probeSite(
  routes: Readonly<Record<string, Route>>,
  options: ProbeOptions = {},
): Promise<{ site: Site; at: (path: string) => Resource; found: readonly Resource[] }> {
  const site = await startSite(routes)
  const { resources } = await probe(site.origin, { fetch: site.fetch, ...options })
  const at = (path: string): Resource => {
    const url = site.origin + path
    const resource = resources.find((candidate) => candidate.url === url || candidate.aliases?.includes(url))
    if (!resource) throw new Error(`nothing at ${path}`)
    return resource
  }
  return { site, at, found: resources.filter(({ verified }) => verified) }
}

describe('probe', () => {
  const askedBesides = ({ requests }: Site): readonly string[] =>
    requests
      .map((request) => request.replace('GET ', '').replace(/[a-z0-9]{16}-canary/, 'X'))
      .filter((path) => !PROBE_PATHS.includes(path))

  it('asks for the fixed list and two paths that cannot exist, and nothing else', async () => {
    const { site } = await probeSite({})
    expect(site.requests).toHaveLength(17)
    const asked = site.requests.map((request) => request.replace('GET ', ''))
    expect(asked.filter((path) => PROBE_PATHS.includes(path)).sort()).toEqual([...PROBE_PATHS].sort())
    expect(askedBesides(site)).toEqual(['/.well-known/X.json', '/X.txt'])
  })

  const OAUTH = (site: string): object => ({
    issuer: site,
    authorization_endpoint: `${site}/authorize`,
    token_endpoint: `${site}/token`,
    jwks_uri: `${site}/keys`,
    response_types_supported: ['code'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['RS256'],
  })
  const CATALOG: Route = { json: { linkset: [] }, type: 'application/linkset+json' }
  const onHost =
    (document: (site: string) => object) =>
    (request: IncomingMessage, response: ServerResponse): void => {
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify(document(`http://${request.headers.host ?? ''}`)))
    }

  it('asks no more of a site that has everything', async () => {
    const { site, at } = await probeSite({
      '/.well-known/oauth-authorization-server': onHost(OAUTH),
      '/.well-known/openid-configuration': onHost(OAUTH),
      '/.well-known/oauth-protected-resource': onHost((origin) => ({
        resource: origin,
        authorization_servers: [origin],
      })),
      '/.well-known/api-catalog': CATALOG,
    })
    expect(site.requests).toHaveLength(17)
    for (const path of PROBE_PATHS.filter((path) => /oauth|openid|catalog$/.test(path)))
      expect(at(path).state, path).toBe('verified')
  })

  it('asks for a third path where the answers to paths without an extension prove nothing', async () => {
    const bare = (path: string): boolean => path.startsWith('/.well-known/') && !path.endsWith('.json')
    for (const answer of [
      JSON.stringify({ linkset: [] }),
      JSON.stringify({ error: 'none' }),
      '<!doctype html><title>App</title>',
    ]) {
      const { site, found } = await probeSite({
        '*': (request, response) => {
          if (!bare(request.url ?? '')) response.writeHead(404).end()
          else response.setHeader('content-type', 'application/json').end(answer)
        },
      })
      expect(found).toEqual([])
      expect(askedBesides(site)).toContain('/.well-known/X')
      expect(site.requests).toHaveLength(18)
    }
    const { at } = await probeSite({
      '*': (request, response) => {
        if (!bare(request.url ?? '')) response.writeHead(404).end()
        else response.setHeader('content-type', 'application/json').end('{"error":"none"}')
      },
      '/.well-known/api-catalog': CATALOG,
    })
    expect(at('/.well-known/api-catalog').state).toBe('verified')
    expect(at('/.well-known/openid-configuration')).toMatchObject({
      state: 'soft-404',
      verified: false,
    })
  })

  it.each<[string, (request: IncomingMessage) => string]>([
    ['its login', () => '/login'],
    ['its login, with the way back', ({ url = '' }) => `/account/signin?next=${encodeURIComponent(url)}`],
    ['the login of another site', () => 'https://sso.example/login'],
  ])('finds nothing on a site that sends every path to %s', async (_name, target) => {
    const site = await startSite({
      '*': (request, response) => {
        const isLogin = /^\/(?:login|account\/signin)/.test(request.url ?? '')
        if (isLogin)
          response.setHeader('content-type', 'text/html').end(`<title>Log in</title>${Math.random()}`)
        else response.writeHead(302, { location: target(request) }).end()
      },
    })
    const { resources } = await probe(site.origin, { fetch: site.fetch, maxRequests: 200 })
    for (const { state, reasons } of resources) {
      expect(state).toBe('inconclusive')
      expect(reasons).toEqual(expect.arrayContaining(['login-redirect', 'same-as-canary']))
    }
    const discovered = await discover(site.origin, { fetch: site.fetch })
    expect(discovered.resources).toEqual([])
    expect(discovered.rejected).toHaveLength(15)
  })

  it('verifies what is real', async () => {
    const { at, found } = await probeSite({
      '/llms.txt': { type: 'text/plain', body: '# Example\n\n- [Start](/start.md)\n' },
      '/llms-full.txt': { type: 'text/plain', body: '# Example\n\nEverything' },
      '/auth.md': { type: 'text/markdown', body: '# Auth' },
      '/robots.txt': { type: 'text/plain', body: 'User-agent: *\nAllow: /' },
      '/.well-known/agent-card.json': { json: A2A },
      '/.well-known/api-catalog': { json: { linkset: [] }, type: 'application/linkset+json' },
      '/.well-known/ard.json': { json: { entries: [] } },
    })
    expect(found.map(({ kind }) => kind).sort()).toEqual([
      'a2a-agent-card',
      'ai-catalog',
      'api-catalog',
      'auth-md',
      'llms-full-txt',
      'llms-txt',
      'robots-txt',
    ])
    expect(at('/.well-known/agent-card.json')).toMatchObject({
      state: 'verified',
      version: '0.3',
      evidence: {
        method: 'GET',
        status: 200,
        mediaType: 'application/json',
        truncated: false,
        redirects: [],
        signature: ['protocolVersion, url and skills'],
      },
    })
    expect(at('/.well-known/agent-card.json').evidence?.sha256).toMatch(/^[0-9a-f]{64}$/)
    expect(at('/.well-known/agent.json')).toMatchObject({ state: 'absent', reasons: ['status-404'] })
  })

  it('takes a shell for every path for nothing (case 10, WK-02)', async () => {
    const { at, found } = await probeSite({ '*': SHELL })
    expect(found).toEqual([])
    expect(at('/.well-known/api-catalog')).toMatchObject({
      state: 'soft-404',
      reasons: ['html-for-json', 'same-as-canary'],
    })
    expect(at('/llms.txt')).toMatchObject({ state: 'soft-404', reasons: ['html-for-text', 'same-as-canary'] })
  })

  it('tells a text from the catch-all of its site, whatever lines they share', async () => {
    const { at } = await probeSite({
      '*': { type: 'text/markdown', body: '# Shop\n\nThere is nothing here.' },
      '/llms.txt': { type: 'text/markdown', body: '# Shop\n\n> Books\n\n## Docs\n\n- [A](/a.md)\n' },
    })
    expect(at('/llms.txt').state).toBe('verified')
    expect(at('/auth.md').state).toBe('soft-404')
  })

  it.each<[string, Route]>([
    ['a shell declared as JSON (WK-01)', { type: 'application/json', body: SHELL.body ?? '' }],
    ['a shell without a type', { body: SHELL.body ?? '' }],
    [
      'a shell with a nonce',
      (_request, response) =>
        response
          .setHeader('content-type', 'text/html')
          .end(`<!doctype html><title>App</title><script nonce="${Math.random()}"></script>`),
    ],
    [
      'a shell with the path in its title',
      (request, response) =>
        response
          .setHeader('content-type', 'text/html')
          .end(`<!doctype html><title>${request.url ?? ''}</title>`),
    ],
    ['a small refresh page', { type: 'text/html', body: '<meta http-equiv=refresh content="0;url=/">' }],
    ['a Markdown error page', { type: 'text/markdown', body: '# Page not found\n\n- [Index](/)\n' }],
    ['a Markdown welcome page', { type: 'text/markdown', body: '# Welcome\n\n- [Index](/)\n' }],
    [
      'a Markdown page with the path and a number in it',
      (request, response) =>
        response
          .setHeader('content-type', 'text/markdown')
          .end(`# Docs\n\n- [Index](/)\n- You asked for ${request.url ?? ''}\n- ${Math.random()}\n`),
    ],
    [
      'Markdown that is nothing but the path',
      (request, response) =>
        response.setHeader('content-type', 'text/markdown').end(`# No ${request.url ?? ''}`),
    ],
    ['a text page', { type: 'text/plain', body: 'Hello' }],
    [
      'a JSON error with status 200',
      (request, response) =>
        response
          .setHeader('content-type', 'application/json')
          .end(JSON.stringify({ error: 'not found', path: request.url })),
    ],
    ['a JSON array', { json: [] }],
    ['an empty body', { body: '' }],
    ['status 204', { status: 204 }],
    [
      'a redirect to the front page',
      (request, response) =>
        request.url === '/'
          ? response.setHeader('content-type', 'text/html').end(SHELL.body)
          : response.writeHead(302, { location: '/' }).end(),
    ],
    ['a robots-like text', { type: 'text/plain', body: 'User-agent: *\nDisallow: /\n' }],
    [
      'a compressed shell',
      { type: 'text/html', headers: { 'content-language': 'en' }, body: SHELL.body ?? '' },
    ],
    [
      'UTF-16 HTML',
      {
        type: 'text/html; charset=utf-16le',
        body: Buffer.from('<!doctype html><title>x</title>', 'utf16le'),
      },
    ],
    ['one manifest for every path', { json: A2A }],
  ])('verifies nothing on a host that answers every path with %s', async (_name, route) => {
    const { found } = await probeSite({ '*': route })
    expect(found.map(({ url }) => url)).toEqual([])
  })

  it('still finds the one real document of a host with a shell for everything', async () => {
    const { at, found } = await probeSite({
      '*': SHELL,
      '/.well-known/ai-catalog.json': { json: { specVersion: '1.0', entries: [] } },
    })
    expect(found.map(({ kind }) => kind)).toEqual(['ai-catalog'])
    expect(at('/.well-known/ai-catalog.json')).toMatchObject({ variant: 'ai-catalog-1.0' })
  })

  it('tells the strangers at one path apart by their content (cases 13, 14, 29; A2-05)', async () => {
    const both = await probeSite({
      '/.well-known/agent.json': { json: AHP },
      '/.well-known/agent-card.json': { json: A2A },
    })
    expect(both.at('/.well-known/agent.json')).toMatchObject({
      kind: 'ahp-manifest',
      version: '0.1',
      verified: true,
    })
    expect(both.at('/.well-known/agent-card.json')).toMatchObject({ kind: 'a2a-agent-card', verified: true })
    const legacy = await probeSite({ '/.well-known/agent.json': { json: A2A } })
    expect(legacy.at('/.well-known/agent.json')).toMatchObject({
      kind: 'a2a-agent-card',
      verified: true,
      endpoint: `${legacy.site.origin}/a2a`,
    })
    expect(legacy.at('/.well-known/agent.json').warnings).toContain(
      'legacy-path: the current path is /.well-known/agent-card.json',
    )
    const other = await probeSite({ '/.well-known/agent.json': { json: { name: 'x' } } })
    expect(other.at('/.well-known/agent.json')).toMatchObject({
      kind: 'unknown-agent-json',
      state: 'invalid',
      reasons: ['signature-mismatch'],
    })
  })

  it('makes one resource of equal bytes at two paths', async () => {
    const { at } = await probeSite({
      '/.well-known/agent.json': { json: A2A },
      '/.well-known/agent-card.json': { json: A2A },
    })
    expect(at('/.well-known/agent.json')).toBe(at('/.well-known/agent-card.json'))
    expect(at('/.well-known/agent.json').url).toMatch(/agent-card\.json$/)
  })

  it('follows a redirect within the origin, and judges where it ends (WK-03, WK-04, WK-06)', async () => {
    const to = (location: string): Answer => ({ status: 302, headers: { location } })
    const { at } = await probeSite({
      '/.well-known/agent-card.json': to('/agent/card.json'),
      '/agent/card.json': { json: A2A },
      '/.well-known/api-catalog': to('/docs/'),
      '/docs/': SHELL,
      '/.well-known/agent.json': to('/login?next=%2F.well-known%2Fagent.json'),
      '/login?next=%2F.well-known%2Fagent.json': {
        type: 'text/html',
        body: '<!doctype html><title>Log in</title>',
      },
      '/llms.txt': to('https://other.example/llms.txt'),
      '/auth.md': to('/auth.md'),
      '/.well-known/ard.json': to('https://sso.example/login'),
    })
    expect(at('/.well-known/agent-card.json')).toMatchObject({
      verified: true,
      warnings: ['redirected'],
      evidence: { redirects: [expect.stringMatching(/\/agent\/card\.json$/)] },
    })
    expect(at('/.well-known/api-catalog')).toMatchObject({
      state: 'absent',
      reasons: ['redirect-to-html', 'html-for-json'],
    })
    expect(at('/.well-known/agent.json')).toMatchObject({
      state: 'auth-required',
      reasons: ['login-redirect', 'html-for-json'],
    })
    expect(at('/llms.txt')).toMatchObject({ state: 'inconclusive', reasons: ['redirect-cross-origin'] })
    expect(at('/auth.md')).toMatchObject({ state: 'error', reasons: ['too-many-redirects'] })
    expect(at('/.well-known/ard.json')).toMatchObject({
      state: 'auth-required',
      reasons: ['login-redirect', 'redirect-cross-origin'],
    })
  })

  it('reads refusals beside those of paths that cannot exist (A2-03)', async () => {
    const some = await probeSite({
      '/.well-known/agent-card.json': { status: 401 },
      '/.well-known/agent.json': { json: A2A },
      '/auth.md': { status: 403 },
    })
    expect(some.at('/.well-known/agent-card.json')).toMatchObject({
      state: 'auth-required',
      reasons: ['status-401'],
    })
    expect(some.at('/auth.md')).toMatchObject({ state: 'blocked', reasons: ['status-403'] })
    const all = await probeSite({ '*': { status: 403 } })
    expect(all.at('/auth.md')).toMatchObject({ state: 'inconclusive', reasons: ['same-as-canary'] })
    const texts = await probeSite({
      '*': (request, response) =>
        response.writeHead(/\.(?:txt|md)$/.test(request.url ?? '') ? 403 : 404).end(),
    })
    expect(texts.at('/llms.txt')).toMatchObject({ state: 'absent', reasons: ['same-as-canary'] })
    const login = await probeSite({ '*': { status: 401 } })
    expect(login.at('/llms.txt')).toMatchObject({ state: 'inconclusive', reasons: ['same-as-canary'] })
  })

  it('decides by GET, whatever HEAD says (case 23)', async () => {
    const { at, site } = await probeSite({
      '/llms.txt': (request, response) =>
        request.method === 'HEAD'
          ? response.writeHead(405).end()
          : response.setHeader('content-type', 'text/plain').end('# Example\n- [a](/a)'),
      '/.well-known/ard.json': (request, response) =>
        response.writeHead(request.method === 'HEAD' ? 200 : 404).end(),
    })
    expect(at('/llms.txt')).toMatchObject({ verified: true, evidence: { method: 'GET' } })
    expect(at('/.well-known/ard.json')).toMatchObject({ verified: false, state: 'absent' })
    expect(site.requests.filter((request) => request.startsWith('HEAD'))).toEqual([])
  })

  it('can ask by HEAD alone, and then verifies nothing', async () => {
    const { at, site } = await probeSite(
      { '/llms.txt': { type: 'text/plain', body: '# x' }, '/auth.md': SHELL },
      { method: 'HEAD' },
    )
    expect(at('/llms.txt')).toMatchObject({
      state: 'reachable',
      verified: false,
      reasons: ['head-only'],
      evidence: { method: 'HEAD' },
    })
    expect(at('/auth.md')).toMatchObject({ state: 'soft-404' })
    expect(site.requests.every((request) => request.startsWith('HEAD'))).toBe(true)
    expect(site.requests).toHaveLength(15)
  })

  it('stops when the site asks to wait', async () => {
    const site = await startSite({ '*': { status: 429, headers: { 'retry-after': '120' } } })
    const { resources, budget } = await probe(site.origin, { fetch: site.fetch, concurrency: 1 })
    expect(site.requests).toHaveLength(1)
    expect(budget).toMatchObject({ requests: 1, stopped: 'rate-limited', retryAfterSeconds: 120 })
    expect(new Set(resources.map(({ state, reasons }) => `${state} ${reasons.join()}`))).toEqual(
      new Set(['inconclusive rate-limited']),
    )
  })

  it('never asks more than it may', async () => {
    const site = await startSite({
      '*': (request, response) => response.writeHead(302, { location: `${request.url ?? ''}x` }).end(),
    })
    const { budget } = await probe(site.origin, { fetch: site.fetch, maxRequests: 7 })
    expect(site.requests).toHaveLength(7)
    expect(budget).toMatchObject({ requests: 7, stopped: 'requests-exhausted' })
  })

  it('reads no more bytes than it may, however long the bodies', async () => {
    const endless: Route = (_request, response) => {
      response.setHeader('content-type', 'application/json')
      const write = (): void => {
        while (!response.destroyed && response.write('[1,'.repeat(20_000)));
      }
      response.on('drain', write)
      write()
    }
    const { at } = await probeSite({ '/.well-known/ard.json': endless }, { maxDocumentBytes: 100_000 })
    expect(at('/.well-known/ard.json')).toMatchObject({
      state: 'inconclusive',
      reasons: ['too-large'],
      evidence: { bytes: 100_000, truncated: true },
    })
    const all = await startSite({ '*': endless })
    const { budget } = await probe(all.origin, { fetch: all.fetch, maxTotalBytes: 300_000, concurrency: 1 })
    expect(budget.bytes).toBeLessThanOrEqual(300_000)
    expect(budget.stopped).toBe('bytes-exhausted')
  })

  it('gives up on a host that hangs, and keeps what others gave', async () => {
    const { at } = await probeSite(
      { '/llms.txt': { type: 'text/plain', body: '# x\n- [a](/a)' }, '/auth.md': () => undefined },
      { timeoutMs: 300 },
    )
    expect(at('/auth.md')).toMatchObject({ state: 'error', reasons: ['timeout'] })
    expect(at('/llms.txt').verified).toBe(true)
  })

  it('never waits for HEAD unless it asks by HEAD, and then no longer than it may', async () => {
    const hangs: Route = (request, response) => {
      if (request.method !== 'HEAD') response.setHeader('content-type', 'text/plain').end('# x\n- [a](/a)')
    }
    expect((await probeSite({ '/llms.txt': hangs })).at('/llms.txt').verified).toBe(true)
    const { at } = await probeSite({ '/llms.txt': hangs }, { method: 'HEAD', timeoutMs: 300 })
    expect(at('/llms.txt')).toMatchObject({ state: 'error', reasons: ['timeout'] })
    expect(at('/auth.md').state).toBe('absent')
  })

  it('stops at the deadline of an injected clock', async () => {
    let time = 0
    const site = await startSite({})
    const { budget } = await probe(site.origin, {
      fetch: site.fetch,
      now: () => (time += 1000),
      deadlineMs: 5_000,
      concurrency: 1,
    })
    expect(budget.stopped).toBe('deadline')
    expect(site.requests.length).toBeLessThan(5)
  })

  it('is refused by the transport where it must not go', async () => {
    const { resources } = await probe('http://127.0.0.1:1/')
    expect(resources[0]).toMatchObject({ state: 'blocked', reasons: ['blocked-by-policy'] })
  })

  it('rejects with the reason of an abort and validates its options first', async () => {
    const site = await startSite({ '*': () => undefined })
    const controller = new AbortController()
    const pending = probe(site.origin, { fetch: site.fetch, signal: controller.signal })
    controller.abort('enough')
    await expect(pending).rejects.toBe('enough')
    for (const [name, value] of [
      ['concurrency', 0],
      ['maxRequests', Number.NaN],
      ['timeoutMs', 1.5],
      ['deadlineMs', -1],
      ['method', 'POST'],
      ['userAgent', 'a\nb'],
    ] as const) {
      await expect(probe(site.origin, { [name]: value })).rejects.toMatchObject({
        code: 'invalid_option',
        option: name,
      })
    }
    await expect(probe('ftp://x')).rejects.toMatchObject({ code: 'invalid_url' })
  })

  it.each([
    ['deep JSON', '['.repeat(100_000), 'too-deep'],
    ['broken JSON', '{"a":', 'not-json'],
    ['a byte order mark', '\ufeff{"entries":[]}', undefined],
  ])('survives %s', async (_name, body, reason) => {
    const { at } = await probeSite({ '/.well-known/ard.json': { type: 'application/json', body } })
    expect(at('/.well-known/ard.json').reasons).toEqual(reason === undefined ? [] : [reason])
  })
})

describe('a site that answers any path with its manifest, where the manifest is asked for', () => {
  it('is found to have one', async () => {
    const { at } = await probeSite({
      '/.well-known/agent.json': { json: AHP },
      '*': ({ headers }, response) => {
        const isAsked = headers.accept?.includes('application/agent+json') === true
        response.writeHead(isAsked ? 200 : 404, { 'content-type': 'application/json' })
        response.end(JSON.stringify(isAsked ? AHP : { status: 'error' }))
      },
    })
    expect(at('/.well-known/agent.json')).toMatchObject({ state: 'verified', kind: 'ahp-manifest' })
  })
})
