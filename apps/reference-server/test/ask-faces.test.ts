import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { validateManifest } from '@doorplate/ahp-manifest'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startReferenceServer, type ReferenceServer } from '../src/reference-server.js'
import { assetsFolder, createProject, testSettings, type Project } from './project.js'

let project: Project
let server: ReferenceServer
const log: string[] = []

beforeAll(async () => {
  project = await createProject()
  await project.write('README.md', '# House\n\n## Opening hours\n\nThe house is open from nine to five.\n')
  await project.write('spec/rules.md', '# Rules\n\n## Noise\n\nNo noise after ten.\n')
  server = await startReferenceServer(testSettings(join(project.root, 'data'), { records: 120 }), {
    projectRoot: project.root,
    assetsFolder,
    now: Date.now,
    log: (line) => log.push(line),
  })
})

afterAll(async () => {
  await server.stop({ graceMs: 0 })
  await project.remove()
})

interface Answer {
  readonly status: string
  readonly code?: string
  readonly session_id: string
  readonly clarification?: { readonly options: readonly string[] }
  readonly response?: {
    readonly answer: string
    readonly payload?: object
    readonly sources?: { url: string }[]
  }
}

async function ask(body: object, headers: Record<string, string> = {}): Promise<Answer> {
  const response = await fetch(`${server.origin}/agent/converse`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
  return (await response.json()) as Answer
}

function asCustomer(): Record<string, string> {
  return { authorization: `Bearer ${server.tokens.customer}` }
}

function get(path: string, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(server.origin + path, { headers })
}

describe('what leads agents here', () => {
  it('is a manifest with every capability, valid by the published schema', async () => {
    const manifest = (await (await get('/.well-known/agent.json')).json()) as {
      capabilities: { name: string }[]
      modes: string[]
    }
    expect(validateManifest(manifest)).toEqual({ valid: true, issues: [] })
    expect(manifest.modes).toEqual(['MODE1', 'MODE2', 'MODE3'])
    expect(manifest.capabilities.map(({ name }) => name).sort()).toEqual([
      'contact',
      'content_search',
      'get_quote',
      'human_escalation',
      'inventory_check',
      'news',
      'order_lookup',
      'restock',
      'site_info',
    ])
  })

  it.each(['/', '/docs/spec/rules', '/nope', '/license', '/robots.txt', '/ai/v1.0/sitemap-index.json'])(
    'is in the Link field of %s',
    async (path) => {
      expect((await get(path)).headers.get('link')).toContain('</.well-known/agent.json>; rel="ahp-manifest"')
    },
  )

  it.each(['/', '/docs/spec/rules', '/nope'])('is in the text of %s, out of sight', async (path) => {
    expect(await (await get(path)).text()).toMatch(/<section class="ahp-notice"[^>]* hidden>/)
  })

  it('is what a page gives to those who ask for it', async () => {
    const response = await get('/', { accept: 'application/agent+json' })
    expect(await response.json()).toMatchObject({ ahp: '0.1' })
    expect((await get('/')).headers.get('vary')).toMatch(/^Accept\b/)
    expect((await get('/nope', { accept: 'application/agent+json' })).status).toBe(404)
  })

  it.each(['/llms.txt', '/openapi.json', '/robots.txt', '/.well-known/api-catalog', '/health'])(
    'is also %s',
    async (path) => {
      expect((await get(path)).status).toBe(200)
    },
  )

  it('says the same of use by models everywhere', async () => {
    expect(await (await get('/robots.txt')).text()).toContain(
      'Content-Signal: search=yes, ai-input=yes, ai-train=no',
    )
  })
})

describe('questions', () => {
  it('are answered from the documents, with a link into the page', async () => {
    const { response } = await ask({ capability: 'site_info', query: 'What are the opening hours?' })
    expect(response?.answer).toContain('nine to five')
    expect(response?.sources?.[0]?.url).toBe('/docs/guide/overview#opening-hours')
  })

  it('are searched for as a feed', async () => {
    const { response } = await ask({
      capability: 'content_search',
      query: 'noise',
      context: { accept_types: ['application/feed'] },
    })
    expect(response?.payload).toMatchObject({
      items: [{ title: 'Rules › Noise', url: '/docs/spec/rules#noise' }],
    })
  })

  it('about the shop are asked back where a product is missing', async () => {
    const asked = await ask({ capability: 'inventory_check', query: 'Is it available?' })
    expect(asked.status).toBe('clarification_needed')
    const [option = ''] = asked.clarification?.options ?? []
    const { response } = await ask({
      capability: 'inventory_check',
      query: 'Is it available?',
      session_id: asked.session_id,
      clarification: option,
    })
    expect(response?.answer).toMatch(
      /^Site made ready for agents \(AHP-IMPL-001\) costs €4,800\.00\. 3 in stock/,
    )
  })

  it('that need a credential are refused without it', async () => {
    for (const capability of ['get_quote', 'order_lookup', 'human_escalation'])
      expect(await ask({ capability, query: '{"sku":"AHP-IMPL-001"}' })).toMatchObject({
        code: 'auth_required',
      })
  })

  it('that act do so once for each key', async () => {
    const body = { capability: 'get_quote', query: '{"sku":"AHP-SUPPORT-001","quantity":3}' }
    const headers = { ...asCustomer(), 'idempotency-key': 'one-effect-only' }
    const first = await ask(body, headers)
    expect(first.response?.answer).toMatch(/^Quote Q-\d+: 3 × AHP-SUPPORT-001 for €3,600\.00/)
    expect((await ask(body, headers)).response?.answer).toBe(first.response?.answer)
    const refused = await ask(
      {
        capability: 'get_quote',
        query: '{"sku":"NO-SUCH-001"}',
        context: { accept_types: ['application/action-result'] },
      },
      asCustomer(),
    )
    expect(refused.response?.payload).toMatchObject({ success: false })
  })

  it('about orders see those of the asker', async () => {
    const own = await ask({ capability: 'order_lookup', query: 'Where is ORD-2026-001?' }, asCustomer())
    expect(own.response?.answer).toContain('is shipped')
    const other = await ask({ capability: 'order_lookup', query: 'Where is ORD-2026-002?' }, asCustomer())
    expect(other.response?.answer).toBe('You have no order ORD-2026-002.')
  })

  it('left to a person wait at the desk, which is open to its operator alone', async () => {
    const query = 'May I bring a dog?'
    expect((await ask({ capability: 'human_escalation', query }, asCustomer())).status).toBe('accepted')
    const asOperator = { authorization: `Basic ${btoa(`ann:${server.tokens.operator}`)}` }
    await expect.poll(async () => (await get('/desk', asOperator)).text()).toContain(query)
    const asNobody = { authorization: `Basic ${btoa(`ann:${server.tokens.customer}`)}` }
    for (const headers of [{}, asNobody]) {
      const refused = await get('/desk', headers)
      expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([
        401,
        'Basic realm="Desk", charset="UTF-8"',
      ])
      expect(await refused.text()).not.toContain(query)
    }
  })

  it('follow the files', async () => {
    await project.write('spec/late.md', '# Late\n\n## Parking\n\nCars stand behind the house.\n')
    await expect
      .poll(async () => (await ask({ capability: 'content_search', query: 'parking cars' })).response?.answer)
      .toContain('/docs/spec/late#parking')
    await rm(join(project.root, 'spec', 'late.md'))
    await expect
      .poll(async () => (await ask({ capability: 'content_search', query: 'parking cars' })).response?.answer)
      .toBe('Nothing was found about that.')
  })
})

describe('entities', () => {
  it('of a secured type are for those who may see them', async () => {
    for (const path of ['/ai/v1.0/sitemaps/order.json', '/ai/v1.0/entities/order/ord-2026-001.json']) {
      const asStranger = await get(path)
      expect([asStranger.status, asStranger.headers.get('cache-control')]).toEqual([401, 'no-store'])
      expect((await get(path, { 'x-ahp-key': server.tokens.operator })).status).toBe(403)
      expect((await get(path, { 'x-ahp-key': 'made-up' })).status).toBe(401)
      const seen = await get(path, { 'x-ahp-key': server.tokens.customer })
      expect([seen.status, seen.headers.get('cache-control')]).toEqual([200, 'private, no-store'])
    }
    const foreign = await get('/ai/v1.0/entities/order/ord-2026-002.json', {
      'x-ahp-key': server.tokens.customer,
    })
    expect(foreign.status).toBe(404)
  })

  it('of posts come in two languages', async () => {
    const german = await (await get('/ai/v1.0/entities/post/find-read-ask.json?locale=de')).json()
    expect(german).toMatchObject({ locale: 'de', data: { title: 'Finden, lesen, fragen' } })
  })

  it('are generated in any number, page by page, to the last', async () => {
    const names: string[] = []
    let cursor: string | null = ''
    while (cursor !== null) {
      const page = (await (await get(`/ai/v1.0/sitemaps/record.json${cursor}`)).json()) as {
        items: { id: string }[]
        cursor: { next: string | null }
      }
      names.push(...page.items.map(({ id }) => id))
      cursor = page.cursor.next === null ? null : `?cursor=${page.cursor.next}`
    }
    expect([names.length, new Set(names).size, names.at(-1)]).toEqual([120, 120, 'record:r0000119'])
    expect((await get('/ai/v1.0/entities/record/r0000120.json')).status).toBe(404)
  })
})

it('logs nothing while all is well', () => {
  expect(log).toEqual([])
})
