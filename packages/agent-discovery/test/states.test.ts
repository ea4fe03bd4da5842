import { describe, expect, it } from 'vitest'
import { discover } from '../src/index.js'
import { probe } from '../src/probe.js'
import type { Resource } from '../src/index.js'
import { startSite, type Answer, type Route } from './start-site.js'

const LLMS_TXT = { type: 'text/plain', body: '# A\n\n- [a](/a)\n' }
const card = (name: string): object => ({
  name,
  description: 'd',
  version: '1',
  protocolVersion: '0.3.0',
  url: 'https://agent.example/a2a',
  capabilities: {},
  defaultInputModes: [],
  defaultOutputModes: [],
  skills: [],
})

function at(path: string, resources: readonly Resource[]): Pick<Resource, 'kind' | 'state' | 'reasons'> {
  const found = resources.find(({ url }) => new URL(url).pathname === path)
  if (!found) throw new RangeError(`nothing at ${path}`)
  const { kind, state, reasons } = found
  return { kind, state, reasons }
}

describe('a status that says neither yes nor no', () => {
  it.each([
    [302, 'inconclusive'],
    [304, 'inconclusive'],
    [400, 'inconclusive'],
    [402, 'blocked'],
    [405, 'inconclusive'],
    [406, 'inconclusive'],
    [451, 'blocked'],
    [206, 'inconclusive'],
  ] as const)('%i is %s where paths that cannot exist are absent', async (status, state) => {
    const answer: Answer = status === 304 ? { status } : { ...LLMS_TXT, status }
    const { origin, fetch } = await startSite({ '/llms.txt': answer })
    const { resources } = await probe(origin, { fetch })
    expect(at('/llms.txt', resources)).toEqual({ kind: 'llms-txt', state, reasons: [`status-${status}`] })
  })

  it('means that there is nothing where paths that cannot exist have it too', async () => {
    const { origin, fetch } = await startSite({ '*': { status: 400, type: 'text/plain', body: 'no' } })
    const { resources } = await probe(origin, { fetch })
    expect(at('/llms.txt', resources)).toEqual({
      kind: 'llms-txt',
      state: 'absent',
      reasons: ['same-as-canary'],
    })
  })
})

it('a catch-all whose document differs a little at each path proves nothing', async () => {
  let count = 0
  const { origin, fetch } = await startSite({
    '/': { type: 'text/html', body: '<title>A</title>' },
    '*': (_request, response) => {
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify({ ...card(`n${count++}`), documentationUrl: '/named' }))
    },
  })
  const { resources, rejected } = await discover(origin, { fetch })
  expect(resources).toEqual([])
  expect(at('/.well-known/agent-card.json', rejected)).toMatchObject({
    state: 'soft-404',
    reasons: ['same-shape-as-canary'],
  })
})

describe('a catch-all of which no answer is like another', () => {
  const page: Answer = { type: 'text/html', body: '<title>A</title>' }
  const answer =
    (type: string, body: () => string): Route =>
    (_request, response) => {
      response.setHeader('content-type', type)
      response.end(body())
    }

  it('lets no text be verified by a heading alone', async () => {
    const random = answer('text/plain', () => `# ${Math.random()}\n\n${Math.random()}\n`)
    const { origin, fetch } = await startSite({ '/': page, '*': random })
    const { resources, rejected } = await discover(origin, { fetch })
    expect(resources.map(({ state }) => state)).not.toContain('verified')
    expect(at('/llms.txt', resources)).toMatchObject({ state: 'reachable', reasons: ['judged-as-canary'] })
    expect(at('/.well-known/agent-card.json', rejected)).toMatchObject({ state: 'soft-404' })
  })

  it('makes no document invalid', async () => {
    const random = answer('application/json', () => JSON.stringify({ [`id-${Math.random()}`]: 'not found' }))
    const { origin, fetch } = await startSite({
      '/': page,
      '*': random,
      '/auth.md': { type: 'text/markdown', body: '# Auth\n' },
    })
    const { resources, rejected } = await discover(origin, { fetch })
    expect(resources.map(({ url, state }) => [new URL(url).pathname, state])).toEqual([
      ['/auth.md', 'verified'],
    ])
    expect(at('/.well-known/ard.json', rejected)).toMatchObject({
      state: 'soft-404',
      reasons: ['signature-mismatch', 'judged-as-canary'],
    })
  })
})

describe('a document that is not at its conventional path', () => {
  it('is judged as what its first URL promises when that redirects', async () => {
    const { origin, fetch } = await startSite({
      '/llms.txt': { status: 301, headers: { location: '/content/main' } },
      '/content/main': LLMS_TXT,
      '/robots.txt': { status: 301, headers: { location: '/rules' } },
      '/rules': { type: 'text/plain', body: 'User-agent: *\nDisallow: /\n' },
    })
    const { resources, signals } = await discover(origin, { fetch })
    expect(at('/llms.txt', resources)).toEqual({ kind: 'llms-txt', state: 'verified', reasons: [] })
    expect(at('/robots.txt', resources)).toMatchObject({ kind: 'robots-txt', state: 'verified' })
    expect(signals.robots?.allowed).toBe(false)
  })

  it('is judged as what the page says that it is', async () => {
    const { origin, fetch } = await startSite({
      '/': {
        type: 'text/html',
        body:
          '<link rel=llms-txt href=/agents.txt><link rel=alternate type=text/markdown href=/copy>' +
          '<link rel=agent-skills href=/skills.json><link rel=agent-card href=/card.json>' +
          '<link rel=describedby type=text/markdown href=/about.md><link rel=service-desc href=/api.json>',
      },
      '/agents.txt': LLMS_TXT,
      '/copy': { type: 'text/plain', body: 'text\n' },
      '/skills.json': { json: { skills: [] } },
      '/card.json': { json: {} },
      '/about.md': { type: 'text/markdown', body: 'We sell books.\n' },
      '/api.json': { json: { asyncapi: '3.0.0' } },
    })
    const { resources } = await discover(origin, { fetch })
    expect(at('/agents.txt', resources)).toMatchObject({ kind: 'llms-txt', state: 'verified' })
    expect(at('/copy', resources)).toMatchObject({ kind: 'markdown', state: 'verified' })
    expect(at('/skills.json', resources)).toMatchObject({ kind: 'agent-skills-index', state: 'verified' })
    expect(at('/card.json', resources)).toMatchObject({ state: 'invalid', reasons: ['signature-mismatch'] })
    // These relations also lead to other things than the kind that they mostly mean.
    expect(at('/about.md', resources)).toMatchObject({ kind: 'markdown', state: 'verified' })
    expect(at('/api.json', resources)).toMatchObject({ kind: 'openapi', state: 'reachable' })
  })
})

it.each([
  ['https://docs.example/auth.md', 'inconclusive'],
  ['https://sso.example/oauth/.well-known/openid-configuration', 'inconclusive'],
  ['https://sso.example/auth/login?next=%2Fauth.md', 'auth-required'],
])('a redirect to %s is %s', async (location, state) => {
  const { origin, fetch } = await startSite({ '/auth.md': { status: 302, headers: { location } } })
  const { resources } = await probe(origin, { fetch })
  expect(at('/auth.md', resources).state).toBe(state)
})

it('reads as much of robots.txt as RFC 9309 asks for', async () => {
  const { origin, fetch } = await startSite({
    '/robots.txt': { type: 'text/plain', body: `${'# pad\n'.repeat(20_000)}User-agent: *\nDisallow: /\n` },
  })
  const { signals } = await discover(origin, { fetch })
  expect(signals.robots).toEqual({ group: '*', allowed: false })
})
