import { createServer, type Server, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { checksumOf } from '@doorplate/aadp-schemas/canonical-json'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Rate } from '../src/counted-attempts.js'
import { makeThrowawayCertificate } from '../src/demo/throwaway-certificate.js'
import type { Inspection } from '../src/inspector/inspection.js'
import {
  createMemoryInspectionStore,
  createSharedInspectionStore,
} from '../src/inspector/inspection-store.js'
import { createInspector, type Inspector } from '../src/inspector/inspector.js'
import { openFetch } from '../src/inspector/open-fetch.js'
import { inspectionPage } from '../src/inspector/inspector-pages.js'
import { startReferenceServer, type ReferenceServer } from '../src/reference-server.js'
import { assetsFolder, createProject, testSettings, type Project } from './project.js'

let project: Project
let server: ReferenceServer

beforeAll(async () => {
  project = await createProject()
  await project.write('README.md', '# House\n\n## Opening hours\n\nOpen from nine to five.\n')
  const settings = testSettings(join(project.root, 'data'), { inspectLimit: '40/hour' })
  server = await startReferenceServer(settings, {
    ...{ projectRoot: project.root, assetsFolder, now: Date.now, log: console.error },
  })
})

afterAll(async () => {
  await server.stop({ graceMs: 0 })
  await project.remove()
})

function begin(form: Record<string, string>, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(`${server.origin}/inspect`, {
    method: 'POST',
    headers: { origin: server.origin, ...headers },
    body: new URLSearchParams(form),
    redirect: 'manual',
  })
}

async function get(path: string): Promise<Response> {
  return fetch(server.origin + path)
}

describe('the inspector', () => {
  it('shows this server as an agent sees it, and gives each part as JSON', async () => {
    const begun = await begin({ url: server.origin })
    const location = begun.headers.get('location') ?? ''
    expect([begun.status, location]).toEqual([303, expect.stringMatching(/^\/inspect\/[0-9a-f]{32}$/)])
    let text = ''
    for (let looks = 0; looks < 100 && !text.includes('Looked at in'); looks++) {
      text = await (await get(location)).text()
      await sleep(50)
    }
    expect(text).toMatch(/verified by content/)
    expect(text).toContain('checksum verified')
    expect(text).toContain('protected by')
    expect(text).toContain('human_escalation')
    expect(text).not.toContain('data-live')
    const found = await get(`${location}/find.json`)
    expect(found.headers.get('content-disposition')).toBe('attachment; filename="find.json"')
    const { resources } = (await found.json()) as { resources: { kind: string; verified: boolean }[] }
    expect(resources.filter(({ verified }) => verified).map(({ kind }) => kind)).toContain('ahp-manifest')
    expect(await (await get(`${location}/read.json`)).json()).toMatchObject({
      types: expect.arrayContaining([expect.objectContaining({ type: 'guide' })]) as unknown,
    })
    expect(await (await get(`${location}/ask.json`)).json()).toMatchObject({ foundBy: 'well-known' })
    const requests = (await (await get(`${location}/requests.json`)).json()) as { url: string }[]
    expect(requests.length).toBeGreaterThan(20)
    expect(requests.every(({ url }) => url.startsWith(server.origin))).toBe(true)
    for (const part of ['aadp.json', 'other.json', 'constructor.json'])
      expect((await get(`${location}/${part}`)).status).toBe(404)
  })

  it.each([
    ['http://127.0.0.1:80/', 'not_public'],
    ['http://localhost/', 'not_public'],
    ['http://[::1]/', 'not_public'],
    ['http://169.254.169.254/latest/meta-data/', 'not_public'],
    ['http://0x7f000001/', 'not_public'],
    ['http://10.0.0.1:8080/', 'not_public'],
    ['http://printer.local/', 'not_public'],
    ['http://127.0.0.1:6379/', 'port'],
    ['javascript:alert(1)', 'scheme'],
    ['https://ann:secret@books.example', 'credentials'],
    ['x'.repeat(5000), 'too_long'],
    ['', 'no_url'],
  ])('refuses %.60s as %s', async (url, code) => {
    const response = await begin({ url })
    const text = await response.text()
    expect([response.status, /<code>([a-z_]+)<\/code>\s*<\/p>/.exec(text)?.[1]]).toEqual([400, code])
  })

  it('keeps what was entered in its field, as text', async () => {
    const text = await (await begin({ url: '"><script>alert(1)</script>' })).text()
    expect(text).toContain('value="&#34;&#62;&#60;script&#62;')
    const prefilled = await (await get(`/inspect?url=${encodeURIComponent('"onfocus=alert(1) x="')}`)).text()
    expect(prefilled).toContain('value="&#34;onfocus')
  })

  it('takes forms of its own alone, of some size, and no other method', async () => {
    expect((await begin({ url: server.origin }, { origin: 'https://evil.test' })).status).toBe(403)
    expect((await begin({ url: 'x'.repeat(40_000) })).status).toBe(413)
    const removed = await fetch(`${server.origin}/inspect`, { method: 'DELETE' })
    expect([removed.status, removed.headers.get('allow')]).toEqual([405, 'GET, HEAD, POST'])
    for (const path of [`/inspect/${'0'.repeat(32)}`, '/inspect/x', `/inspect/${'0'.repeat(32)}/find.json`])
      expect((await get(path)).status).toBe(404)
  })
})

describe('its limits', () => {
  let slow: Server
  let inspector: Inspector
  let clock = Date.UTC(2026, 0, 1)

  beforeAll(async () => {
    slow = createServer(() => undefined)
    await new Promise<void>((resolve) => slow.listen(0, '127.0.0.1', resolve))
    inspector = limited('9/minute')
  })

  const limited = (rate: Rate): Inspector =>
    inspectorOf(originOf(slow), { rate, maxRunning: 2, now: () => clock })

  afterAll(async () => {
    await inspector.close()
    slow.closeAllConnections()
    slow.close()
  })

  const begin = (address: string, suites = false): Promise<string> =>
    inspector.start({ url: originOf(slow), suites, address })
  const placeOf = async (id: string): Promise<number | undefined> => (await inspector.find(id))?.place

  it('are of those that run at once, one of an address; others wait, and see their place', async () => {
    const [first, second] = await Promise.all([begin('192.0.2.1'), begin('192.0.2.1')])
    const other = await begin('192.0.2.2')
    const last = await begin('192.0.2.3')
    expect(await Promise.all([first, second, other, last].map(placeOf))).toEqual([undefined, 2, undefined, 1])
    const waiting = await inspector.find(last)
    expect(inspectionPage(waiting!)).toContain('Waiting for its turn: number 1 in line.')
    await inspector.close()
    expect(await inspector.find(last)).toMatchObject({
      isOver: true,
      steps: { find: { state: 'failed', failure: { code: 'aborted' } } },
    })
  })

  it('are of those that wait; who is refused is told when the line has moved, which costs nothing', async () => {
    inspector = limited('9/minute')
    for (const suites of [true, false, false, false]) await begin('192.0.2.1', suites)
    clock += 30_000
    for (let tries = 0; tries < 12; tries++)
      await expect(begin('192.0.2.1')).rejects.toMatchObject({ code: 'busy', retryAfterSeconds: 570 })
    const others = Array.from({ length: 28 }, (_, place) => begin(`198.51.100.${String(place)}`))
    await Promise.all(others)
    await expect(begin('192.0.2.2')).rejects.toMatchObject({ code: 'busy', retryAfterSeconds: 90 })
    await inspector.close()
  })

  it('are of none that could not begin', async () => {
    // A port that the Fetch standard blocks.
    const origin = 'http://127.0.0.1:10080'
    const blocked = inspectorOf(origin)
    for (let tries = 0; tries < 6; tries++)
      await expect(blocked.start({ url: origin, suites: false, address: '192.0.2.1' })).rejects.toMatchObject(
        { code: 'port' },
      )
  })

  it('are of those that one address begins', async () => {
    inspector = limited('3/minute')
    for (let times = 0; times < 3; times++) await begin('192.0.2.1')
    await expect(begin('192.0.2.1')).rejects.toMatchObject({ code: 'rate_limited' })
    await begin('192.0.2.2')
  })
})

describe('what processes share', () => {
  it('is what was seen, and how often; while that is away, a limit is still a limit', async () => {
    const slow = createServer(() => undefined)
    await new Promise<void>((resolve) => slow.listen(0, '127.0.0.1', resolve))
    const kept = new Map<string, unknown>()
    const store = createSharedInspectionStore({
      get: (key) => Promise.resolve(kept.get(key)),
      set: (key, value) => Promise.resolve(kept.set(key, structuredClone(value))),
    })
    const log: string[] = []
    const counts = { penalty: () => Promise.reject(new Error('away')), get: () => null }
    const one = inspectorOf(originOf(slow), {
      store,
      counts,
      rate: '1/minute',
      log: (line) => log.push(line),
    })
    const other = inspectorOf(originOf(slow), { store })
    try {
      const request = { url: originOf(slow), suites: false, address: '192.0.2.1' }
      const id = await one.start(request)
      expect(await other.find(id)).toMatchObject({ url: `${originOf(slow)}/`, isOver: false })
      await expect(one.start(request)).rejects.toMatchObject({ code: 'rate_limited' })
      await one.close()
      expect(await other.find(id)).toMatchObject({ isOver: true })
      expect(log).toEqual(Array(2).fill('Inspections are counted in this process alone: Error: away'))
    } finally {
      await one.close()
      slow.closeAllConnections()
      slow.close()
    }
  })
})

describe('this server under https', () => {
  it('is known by a certificate that signed itself', async () => {
    const { cert, key } = await makeThrowawayCertificate(project.root)
    const secure = createTlsServer({ cert, key }, (_, response) => response.end('yes'))
    await new Promise<void>((resolve) => secure.listen(0, '127.0.0.1', resolve))
    const origin = originOf(secure).replace('http:', 'https:')
    const knowing = openFetch(new URL(origin), { origin, cert })
    const ignorant = openFetch(new URL(origin), { origin })
    try {
      expect((await knowing.request(origin)).status).toBe(200)
      await expect(ignorant.request(origin)).rejects.toMatchObject({ code: 'tls_failed' })
    } finally {
      await Promise.all([knowing.close(), ignorant.close()])
      secure.closeAllConnections()
      secure.close()
    }
  })
})

describe('a site that cannot be seen', () => {
  it.each([
    ['breaks off', 'The connection failed.', (_: string, response: ServerResponse) => response.destroy()],
    [
      'leads into a private network',
      'It leads to a place that is not public, where this server does not go.',
      (path: string, response: ServerResponse) =>
        response.writeHead(302, { location: `http://127.0.0.1:1${path}` }).end(),
    ],
  ])('because it %s is told from one that offers nothing', async (_, reason, answer) => {
    const page = await pageOf((path, response) => answer(path, response))
    expect(page).toContain(reason)
    expect(page).not.toMatch(/offers nothing to agents|createSafeFetch|\.\.\s/)
  })
})

describe('the parts of an inspection', () => {
  it('are green when something came of them', async () => {
    const ofNothing = await pageOf((_, response) => void response.writeHead(404).end())
    expect(ofNothing).toMatch(/<li class="is-poor">\s*Find <span>done/)
    const ofSomething = await pageOf((path, response, origin) => {
      if (path !== '/.well-known/ai-manifest.json') return void response.writeHead(404).end()
      response.setHeader('content-type', 'application/json')
      response.end(manifestOf(origin, `${origin}/index.json`))
    })
    expect(ofSomething).toMatch(/<li class="is-done">\s*Find <span>done/)
  })
})

describe('a hostile site', () => {
  it('that leads into a private network leads nobody there', async () => {
    const asked: unknown[] = []
    const secret = createServer(({ url }, response) => response.end(String(asked.push(url))))
    await new Promise<void>((resolve) => secret.listen(0, '127.0.0.1', resolve))
    const inside = originOf(secret)
    const byName = inside.replace('127.0.0.1', 'localhost')
    try {
      const page = await pageOf((path, response, origin) => {
        response.setHeader('link', `<${inside}/a>; rel="ahp-manifest", <${byName}/b>; rel="service-desc"`)
        if (path === '/') return response.end(`<link rel="api-catalog" href="${inside}/c">`)
        if (path === '/.well-known/ai-manifest.json') {
          response.setHeader('content-type', 'application/json')
          return response.end(manifestOf(origin, `${byName}/index.json`))
        }
        return response.writeHead(307, { location: inside + path }).end()
      })
      expect(page).toContain('leads to a place that is not public')
      expect(asked).toEqual([])
    } finally {
      secret.close()
    }
  })

  it('that names a host which is none when it is cut off does not take its page away', async () => {
    const host = `${'a.'.repeat(251)}${'0'.repeat(20)}b.example`
    const page = await pageOf((path, response, origin) => {
      if (path !== '/.well-known/ai-manifest.json') return void response.writeHead(404).end()
      response.setHeader('content-type', 'application/json')
      response.end(manifestOf(origin, `https://${host}/index.json`))
    })
    expect(page).toContain('Nothing can be read here')
  })

  it('that names much of a kind has each under an id of its own', async () => {
    const link = ['a', 'b', 'c'].map((name) => `</${name}.json>; rel="service-desc"`).join()
    const page = await pageOf((path, response) =>
      response.writeHead(path === '/' ? 200 : 404, { link }).end(),
    )
    const ids = [...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id)
    expect(ids.filter((id) => id?.startsWith('found-'))).toHaveLength(3)
    expect(new Set(ids).size).toBe(ids.length)
  })

  const EVIL = '<script>alert(1)</script>\u202Egnp'

  it('is shown as text, and in few bytes', async () => {
    const hostile = createServer((request, response) => {
      const path = (request.url ?? '').split('?')[0] ?? ''
      const body = hostileBody(path, originOf(hostile))
      const type = path.endsWith('.json') ? 'application/json' : 'text/html'
      response.writeHead(body === undefined ? 404 : 200, {
        'content-type': type,
        link: `</${EVIL.slice(0, 8)}>; rel="mcp"; title="${'x'.repeat(4000)}"`,
      })
      response.end(body ?? '')
    })
    await new Promise<void>((resolve) => hostile.listen(0, '127.0.0.1', resolve))
    const inspector = inspectorOf(originOf(hostile))
    try {
      const id = await inspector.start({ url: originOf(hostile), suites: false, address: '192.0.2.1' })
      const inspection = await finished(inspector, id)
      const page = inspectionPage(inspection)
      expect(inspection.steps.ask.state).toBe('done')
      expect(inspection.steps.read.state).toBe('done')
      expect(page).not.toMatch(/<script>|\u202E|<img/)
      expect(Buffer.byteLength(page)).toBeLessThan(45_000)
    } finally {
      await inspector.close()
      hostile.closeAllConnections()
      hostile.close()
    }
  })

  function hostileBody(path: string, origin: string): string | undefined {
    if (path === '/') return `<title>${EVIL}</title>${`<a href="/x" rel="mcp" title='${EVIL}'>`.repeat(200)}`
    if (path === '/.well-known/agent.json')
      return JSON.stringify({
        ahp: '0.1',
        name: EVIL,
        description: EVIL.repeat(100),
        modes: ['MODE1', 'MODE2'],
        endpoints: { converse: '/c' },
        content_signals: { ai_input: true },
        capabilities: Array.from({ length: 100 }, (_, place) => ({
          ...{ name: `c${String(place)}`, description: EVIL.repeat(50), mode: 'MODE2' },
          response_types: ['text/answer'],
        })),
      })
    if (path === '/.well-known/ai-manifest.json') return manifestOf(origin, `${origin}/index.json`, EVIL)
    return path === '/index.json' ? indexOf(origin) : undefined
  }
})

function manifestOf(origin: string, sitemapIndex: string, text: string = 'Books'): string {
  return JSON.stringify({
    aadp_version: '1.0',
    application: { name: text, description: text, publisher: { name: text, url: `${origin}/` } },
    discovery: { sitemap_index: sitemapIndex },
    policies: { robots: `${origin}/robots.txt`, terms: `${origin}/` },
  })
}

/** What is shown of a site that answers like that. */
async function pageOf(
  answer: (path: string, response: ServerResponse, origin: string) => unknown,
): Promise<string> {
  const site = createServer((request, response) => answer(request.url ?? '', response, originOf(site)))
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve))
  const inspector = inspectorOf(originOf(site))
  try {
    const id = await inspector.start({ url: originOf(site), suites: false, address: '192.0.2.1' })
    return inspectionPage(await finished(inspector, id))
  } finally {
    await inspector.close()
    site.closeAllConnections()
    site.close()
  }
}

function indexOf(origin: string): string {
  const sitemaps = Array.from({ length: 60 }, (_, place) => ({
    ...{ type: `t${String(place)}`, url: `${origin}/s${String(place)}.json` },
  }))
  return JSON.stringify({
    ...{ aadp_version: '1.0', generated_at: '2026-01-01T00:00:00Z', sitemaps },
    checksum: checksumOf(sitemaps),
  })
}

function inspectorOf(
  origin: string,
  options: Partial<Parameters<typeof createInspector>[0]> = {},
): Inspector {
  return createInspector({
    ...{ origin, now: Date.now, log: console.error, store: createMemoryInspectionStore() },
    keys: { headers: {}, credential: 'x', probes: {} },
    ...options,
  })
}

function originOf(listening: Server): string {
  return `http://127.0.0.1:${String((listening.address() as AddressInfo).port)}`
}

async function finished(inspector: Inspector, id: string): Promise<Inspection> {
  for (let looks = 0; looks < 200; looks++) {
    const inspection = await inspector.find(id)
    if (inspection?.isOver === true) return inspection
    await sleep(50)
  }
  throw new Error('The inspection does not end.')
}
