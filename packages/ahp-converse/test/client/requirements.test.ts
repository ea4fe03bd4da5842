import { readFileSync } from 'node:fs'
import { validateRequest } from '@doorplate/ahp-manifest/messages'
import { loadRequirements } from '@internal/vectors'
import { expect, it } from 'vitest'
import { ScriptedSite, bookShop, refusal, success } from './scripted-site.js'

/** Every requirement of the protocol that binds a visiting agent, on a site that records what the agent does. */

const LINK = '</about/agent.json>; rel="ahp-manifest"; type="application/agent+json"'
const NOTICE =
  '<section class="ahp-notice" aria-label="AI Agent Notice" style="display:none">AHP: GET /about/agent.json (AHP/0.1)</section>'

it('R015 looks at the well-known path first', async () => {
  await using site = await ScriptedSite.start(bookShop())
  const visited = await site.visit()
  expect(site.paths).toEqual(['/.well-known/agent.json'])
  expect(visited).toMatchObject({ foundBy: 'well-known', name: 'The Book Shelf' })
})

it('R015 looks at the Link field next', async () => {
  await using site = await ScriptedSite.start()
  site
    .on('/', { headers: { link: LINK }, body: `<p>Books</p>${NOTICE}` })
    .on('/about/agent.json', { body: bookShop() })
  const visited = await site.visit()
  expect(site.paths).toEqual(['/.well-known/agent.json', '/', '/about/agent.json'])
  expect(visited).toMatchObject({ foundBy: 'link', manifestUrl: `${site.origin}/about/agent.json` })
})

it('R015 looks at the notice last, or first if told that it sees pages only', async () => {
  await using site = await ScriptedSite.start()
  site.on('/', { body: `<p>Books</p>${NOTICE}` }).on('/about/agent.json', { body: bookShop() })
  expect(await site.visit()).toMatchObject({ foundBy: 'notice' })
  expect(site.paths).toEqual(['/.well-known/agent.json', '/', '/about/agent.json'])
  site.requests.length = 0
  expect(await site.visit({ discovery: ['notice'] })).toMatchObject({ foundBy: 'notice' })
  expect(site.paths).toEqual(['/', '/about/agent.json'])
})

it('R016 asks for the manifest by Accept if told so', async () => {
  await using site = await ScriptedSite.start()
  site.on('/', ({ headers }) =>
    String(headers['accept']).includes('application/agent+json')
      ? { status: 302, headers: { location: '/there/agent.json' } }
      : { body: 'page' },
  )
  site.on('/there/agent.json', { body: bookShop() })
  expect(await site.visit({ discovery: ['accept'] })).toMatchObject({
    foundBy: 'accept',
    manifestUrl: `${site.origin}/there/agent.json`,
  })
})

it('R028 knows of MCP and OpenAPI only what the manifest declares', async () => {
  await using site = await ScriptedSite.start(bookShop())
  expect((await site.visit()).integrations.size).toBe(0)
  site.on('/.well-known/agent.json', {
    body: bookShop({ integrations: { mcp: { url: '/mcp', version: '1' } } }),
  })
  expect((await site.visit()).integrations).toEqual(
    new Map([['mcp', { url: `${site.origin}/mcp`, version: '1' }]]),
  )
  expect(site.paths.filter((path) => path !== '/.well-known/agent.json')).toEqual([])
})

it('R043 declares its intent to a capability of MODE3', async () => {
  await using site = await ScriptedSite.start(bookShop())
  site.onAsk(success('Ordered.'))
  const visited = await site.visit({ credential: 'token' })
  await visited.ask('order_book', 'Order Dune for Ada', { input: { isbn: '9780441172719' } })
  await visited.ask('order_book', 'x'.repeat(300), { intent: 'Ada wants to read Dune' })
  await visited.ask('order_book', 'x'.repeat(300))
  const intents = site.asked.map(({ json }) => (json['context'] as { user_intent: string }).user_intent)
  expect(intents).toEqual(['Order Dune for Ada', 'Ada wants to read Dune', 'x'.repeat(256)])
})

it('R044, R045, R046, R047, R048 and R119 sends a valid request with its version, capability, query, session and context', async () => {
  await using site = await ScriptedSite.start(bookShop())
  site.onAsk(success('Nine to five.'))
  const session = (await site.visit()).session()
  await session.ask('opening_hours', 'When are you open?')
  await session.ask('opening_hours', 'And on Sundays?', { locale: 'en-GB', maxTokens: 200 })
  expect(site.asked.map(({ json }) => json)).toEqual([
    {
      ahp: '0.1',
      capability: 'opening_hours',
      query: 'When are you open?',
      context: { requesting_agent: 'doorplate-ahp' },
    },
    {
      ahp: '0.1',
      capability: 'opening_hours',
      query: 'And on Sundays?',
      session_id: 's-1',
      context: { requesting_agent: 'doorplate-ahp', locale: 'en-GB', max_tokens: 200 },
    },
  ])
  for (const { json } of site.asked) expect(validateRequest(json)).toEqual({ valid: true, issues: [] })
})

it('R045, R046 and R119 sends no request that the schema refuses', async () => {
  await using site = await ScriptedSite.start(bookShop())
  const visited = await site.visit()
  const refused = async (query: string, options = {}): Promise<unknown> =>
    visited.ask('book_search', query, options).catch((error: unknown) => error)
  expect(await refused('')).toMatchObject({ code: 'invalid_option', option: 'query' })
  expect(await refused('x'.repeat(4_097))).toMatchObject({ code: 'invalid_option', option: 'query' })
  expect(await refused('a', { locale: 'no locale' })).toMatchObject({ option: 'locale' })
  expect(await refused('a', { maxTokens: 0 })).toMatchObject({ option: 'maxTokens' })
  expect(await refused('a', { maxTokens: 1.5 })).toMatchObject({ option: 'maxTokens' })
  expect(await refused('a', { maxTokens: NaN })).toMatchObject({ option: 'maxTokens' })
  expect(await refused('a', { intent: 'x'.repeat(257) })).toMatchObject({ option: 'intent' })
  expect(await refused('a', { session: 'made-up' })).toMatchObject({ option: 'session' })
  expect(await refused('a', { aceptTypes: [] })).toMatchObject({ option: 'aceptTypes' })
  expect(site.asked).toEqual([])
})

it('R049 names the types it accepts, the preferred one first', async () => {
  await using site = await ScriptedSite.start(bookShop())
  site.onAsk(
    success('Two books.', {}, { content_type: 'application/feed', payload: { total: 0, items: [] } }),
  )
  const acceptTypes = ['application/feed', 'text/answer']
  const reply = await (await site.visit()).ask('book_search', 'Dune', { acceptTypes })
  expect(site.asked[0]?.json).toMatchObject({ context: { accept_types: acceptTypes } })
  expect(reply).toMatchObject({ status: 'success', contentType: 'application/feed', payload: { total: 0 } })
})

it('R068 can ask again for a type that the site has', async () => {
  await using site = await ScriptedSite.start(bookShop())
  site.onAsk(refusal(400, 'unsupported_type', { available_types: ['text/answer'] }), success('In words.'))
  const visited = await site.visit()
  const first = await visited.ask('book_search', 'Dune', { acceptTypes: ['media/video'] })
  expect(first).toMatchObject({ status: 'error', code: 'unsupported_type', availableTypes: ['text/answer'] })
  if (first.status !== 'error') throw new Error('unexpected')
  const second = await visited.ask('book_search', 'Dune', { acceptTypes: first.availableTypes })
  expect(second).toMatchObject({ status: 'success', answer: 'In words.' })
})

it('R071 and R118 surface the content signals and obey them for the uses that the caller states', async () => {
  await using site = await ScriptedSite.start(bookShop())
  site.onAsk(
    success('Dune.', { meta: { content_signals: { ai_train: true, ai_input: true, search: false } } }),
  )
  site.on('/llms.txt', { body: '# Books' })
  const visited = await site.visit()
  expect(visited.contentSignals).toMatchObject({ ai_train: false })
  expect(await visited.ask('book_search', 'Dune')).toMatchObject({
    contentSignals: { ai_train: false, ai_input: true, search: false, attribution_required: true },
  })
  const training = await site.visit({ uses: ['ai_train'] })
  site.requests.length = 0
  await expect(training.ask('book_search', 'Dune')).rejects.toMatchObject({ code: 'refused_by_signal' })
  await expect(training.readContent()).rejects.toMatchObject({ code: 'refused_by_signal' })
  expect(site.requests).toEqual([])
  // Only the answer says that it may not be indexed.
  const searching = await site.visit({ uses: ['search'] })
  await expect(searching.ask('book_search', 'Dune')).rejects.toMatchObject({ code: 'refused_by_signal' })
  expect((await searching.readContent()).text).toBe('# Books')
})

it('R072 says who asks', async () => {
  await using site = await ScriptedSite.start(bookShop())
  site.onAsk(success('Dune.'))
  await (await site.visit({ requestingAgent: 'librarian/2.0' })).ask('book_search', 'Dune')
  expect(site.asked[0]?.json).toMatchObject({ context: { requesting_agent: 'librarian/2.0' } })
})

it('R106, R107 and R109 wait to the second and then ask again', async () => {
  await using site = await ScriptedSite.start(bookShop())
  site.onAsk(
    refusal(429, 'rate_limited', { retry_after: 7, scope: 'ip' }, { 'retry-after': '7' }),
    success('Dune.'),
  )
  const reply = await (await site.visit()).ask('book_search', 'Dune')
  expect(reply).toMatchObject({ status: 'success' })
  const [first, second] = site.asked
  expect((second?.atMs ?? 0) - (first?.atMs ?? 0)).toBeGreaterThanOrEqual(7_000)
  expect((second?.atMs ?? 0) - (first?.atMs ?? 0)).toBeLessThan(9_000)
})

it('R107 sends nothing else to the site before that time either', async () => {
  await using site = await ScriptedSite.start(bookShop())
  site.onAsk(refusal(429, 'rate_limited', {}, { 'retry-after': '3600' }), success('Dune.'))
  const visited = await site.visit()
  const late = { code: 'rate_limited', status: 429, retryAfterSeconds: 3_600 }
  await expect(visited.ask('book_search', 'Dune')).rejects.toMatchObject(late)
  await expect(visited.ask('opening_hours', 'When?')).rejects.toMatchObject(late)
  await expect(visited.readContent()).rejects.toMatchObject(late)
  expect(site.asked).toHaveLength(1)
  expect(site.clock.slept).toEqual([])
  site.clock.nowMs += 3_600_000
  expect(await visited.ask('book_search', 'Dune')).toMatchObject({ status: 'success' })
})

it('R107 keeps to Retry-After also where the body of a limit by address says null', async () => {
  await using site = await ScriptedSite.start(bookShop())
  const limit = { scope: 'ip', retry_after: null }
  site.onAsk(refusal(429, 'rate_limited', limit, { 'retry-after': '7' }), success('Dune.'))
  const reply = await (await site.visit()).ask('book_search', 'Dune')
  expect(reply).toMatchObject({ status: 'success' })
  const [first, second] = site.asked
  expect((second?.atMs ?? 0) - (first?.atMs ?? 0)).toBeGreaterThanOrEqual(7_000)
})

it('R107 names a time that a number can hold', async () => {
  await using site = await ScriptedSite.start(bookShop())
  site.onAsk(refusal(429, 'rate_limited', {}, { 'retry-after': '9'.repeat(400) }))
  const late = { code: 'rate_limited', retryAfterSeconds: expect.toSatisfy(Number.isSafeInteger) as number }
  await expect((await site.visit()).ask('book_search', 'Dune')).rejects.toMatchObject(late)
})

it('R108 waits longer after each refusal, with a random part', async () => {
  await using site = await ScriptedSite.start(bookShop())
  site.onAsk({ status: 429, body: {} })
  const retry = { maxAttempts: 5, baseDelayMs: 1_000 }
  const visited = await site.visit({ retry })
  await expect(visited.ask('book_search', 'Dune')).rejects.toMatchObject({ code: 'rate_limited' })
  expect(site.clock.slept).toEqual([500, 1_000, 2_000, 4_000])
  site.clock.slept.length = 0
  site.clock.randomValue = 1
  await expect(visited.ask('book_search', 'Dune')).rejects.toMatchObject({ code: 'rate_limited' })
  expect(site.clock.slept).toEqual([1_500, 3_000, 6_000, 12_000])
})

it('R111 uses MODE1 alone where the version is not known', async () => {
  await using site = await ScriptedSite.start(bookShop({ ahp: '7.0' }))
  site.on('/llms.txt', { headers: { 'content-type': 'text/markdown; charset=utf-8' }, body: '# Books' })
  const visited = await site.visit()
  expect(visited.modes).toEqual(['MODE1'])
  expect(visited.warnings).toContainEqual(expect.objectContaining({ code: 'unknown_version' }))
  await expect(visited.ask('book_search', 'Dune')).rejects.toMatchObject({ code: 'no_capability' })
  expect(await visited.readContent()).toMatchObject({ mediaType: 'text/markdown', text: '# Books' })
  expect(site.asked).toEqual([])
})

it('R111 reads a later minor version as this one', async () => {
  await using site = await ScriptedSite.start(bookShop({ ahp: '0.9', surprise: true }))
  site.onAsk(success('Dune.', { surprise: 1 }))
  expect(await (await site.visit()).ask('book_search', 'Dune')).toMatchObject({ status: 'success' })
})

it('leaves out no requirement that binds a visiting agent', () => {
  const own = readFileSync(new URL(import.meta.url), 'utf8')
  const tested = [...own.matchAll(/\bit\('(.*)'/g)].flatMap(([, name = '']) =>
    [...name.matchAll(/R\d{3}/g)].map(String),
  )
  const binding = loadRequirements('ahp/v0.1')
    .filter(({ id, subject }) => subject === 'client' && id.startsWith('AHP01-R-'))
    .map(({ id }) => id.replace('AHP01-R-', 'R'))
  expect(binding.length).toBeGreaterThan(10)
  expect(binding.filter((id) => !tested.includes(id))).toEqual([])
})
