import { describe, expect, it } from 'vitest'
import { discover, fromResponse } from '../src/index.js'
import { startSite } from './start-site.js'

const card = {
  name: 'x',
  description: 'd',
  version: '1',
  protocolVersion: '0.3.0',
  url: 'https://agent.example/a2a?api_key=SECRET',
  capabilities: {},
  defaultInputModes: [],
  defaultOutputModes: [],
  skills: [],
}

describe('what grants access', () => {
  it('is in no member of a result', async () => {
    const { origin, fetch } = await startSite({
      '/?token=SECRET': {
        type: 'text/html',
        headers: {
          link: '</x?token=SECRET>; rel=mcp; anchor="https://other.example/?sig=SECRET", </y>; rel=service-desc; anchor="/z?token=SECRET"',
        },
        body: '<section class=ahp-notice><a href="/n?token=SECRET">here</a></section>',
      },
      '/.well-known/agent-card.json': { json: card },
    })
    const result = await discover(`${origin}/?token=SECRET`, { fetch })
    expect(result.foreign).toHaveLength(1)
    expect(result.notices).toEqual([{ url: `${origin}/n?token=REDACTED`, text: 'here' }])
    expect(result.resources.map(({ endpoint }) => endpoint)).toContain(
      'https://agent.example/a2a?api_key=REDACTED',
    )
    expect(JSON.stringify(result)).not.toContain('SECRET')
  })

  it('does not hide what was found behind it, nor travel with what that names', async () => {
    const { origin, fetch } = await startSite({
      '/catalog.json?token=SECRET': {
        json: { linkset: [{ anchor: '/', 'service-desc': [{ href: 'https://api.example/openapi.json' }] }] },
        type: 'application/linkset+json',
      },
    })
    const result = await discover(`${origin}/catalog.json?token=SECRET`, { fetch, probe: false })
    expect(result.resources).toMatchObject([
      { kind: 'api-catalog', state: 'verified', ephemeral: true },
      { kind: 'openapi', sources: [{ document: `${origin}/catalog.json?token=REDACTED` }] },
    ])
    expect(JSON.stringify(result)).not.toContain('SECRET')
  })
})

describe('text of a site', () => {
  const unsafe = 'a\u202eb\u0007\u200b'

  it('is clean in relations, versions and paths', () => {
    const text = JSON.stringify({ openapi: `3.0.0${unsafe}`, info: { title: 'x' }, paths: {} })
    const result = fromResponse(
      'https://example.com/openapi.json',
      [
        ['content-type', 'application/json'],
        ['link', `</x>; rel="mcp ${unsafe} ${'y'.repeat(3000)} ${'z '.repeat(3000)}"`],
        ['www-authenticate', `${'s'.repeat(3000)} resource_metadata="/m"`],
      ],
      text,
    )
    expect(result.resources).toHaveLength(3)
    expect(result.resources).toContainEqual(expect.objectContaining({ version: '3.0.0ab' }))
    expect(result.resources.flatMap(({ sources }) => sources)).toContainEqual({
      name: 'http-link',
      relations: ['mcp', 'z'],
    })
    expect(JSON.stringify(result)).not.toMatch(/[\p{Cc}\p{Cf}]/u)
    expect(JSON.stringify(result).length).toBeLessThan(2000)
  })

  it('makes no relation by what is taken out of it', () => {
    const { resources } = fromResponse('https://example.com/', { link: '</x>; rel="mc\u200bp"' })
    expect(resources).toEqual([])
  })

  it('is clean in what robots.txt says of a path', async () => {
    const { origin, fetch } = await startSite({
      '/robots.txt': {
        type: 'text/plain; charset=utf-8',
        body: `User-agent: *\nContent-Usage: /\u202e*${'*'.repeat(3000)} train-ai=n\n`,
      },
    })
    const { signals } = await discover(`${origin}/\u202epage`, { fetch })
    const { contentUsage } = signals.robots ?? {}
    expect(contentUsage?.usage).toEqual({ 'train-ai': 'n' })
    expect(contentUsage?.matchedPath).toMatch(/^\/\*+…$/)
    expect(contentUsage?.matchedPath?.length).toBeLessThanOrEqual(200)
  })
})
