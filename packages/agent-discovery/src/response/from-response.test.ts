import { describe, expect, it } from 'vitest'
import { fromResponse } from './from-response.js'
import type { Resource } from '../resources/resource.js'

const url = 'https://example.com/a'
const HTML = { 'content-type': 'text/html' }
const kinds = (resources: readonly Resource[]): string[] => resources.map(({ kind }) => kind)

describe('fromResponse', () => {
  it('counts only documented relations (LT-05)', () => {
    const of = (link: string): string[] => kinds(fromResponse(url, { link }).resources)
    expect(of('</x>; rel="llms-txt"')).toEqual(['llms-txt'])
    expect(of('</x>; rel="describedby"; type="text/plain"')).toEqual(['llms-txt'])
    expect(of('</x>; rel="alternate"; type="text/markdown"')).toEqual(['markdown'])
    expect(of('</x>; rel="llms"')).toEqual([])
    expect(of('</x>; rel="alternate"; type="text/plain"')).toEqual([])
    expect(of('</llms.txt>; rel="preload"')).toEqual([])
  })

  it('takes an older relation name with a warning (SD-04)', () => {
    expect(fromResponse(url, HTML, '<link rel="agent-manifest" href="/m">').resources).toMatchObject([
      { kind: 'ahp-manifest', warnings: ['legacy-relation: agent-manifest is ahp-manifest now'] },
    ])
    expect(
      fromResponse(url, { link: '</m>; rel="agent-manifest ahp-manifest"' }).resources[0]?.warnings,
    ).toEqual([])
  })

  it.each([
    ['/.well-known/agent-skills/index.json', 'skill', 'agent-skills-index'],
    ['/blog/how-oauth-works', 'describedby', 'linked-resource'],
    ['/docs/user-agents.md', 'describedby', 'linked-resource'],
    ['/.well-known/mcp/server-card.json', 'mcp', 'mcp-server-card'],
    ['/agents/mcp', 'mcp', 'mcp-endpoint'],
  ])('never guesses the kind of %s from a part of it', (path, rel, kind) => {
    expect(kinds(fromResponse(url, { link: `<${path}>; rel=${rel}` }).resources)).toEqual([kind])
  })

  it('reads preferences, challenges, notices and forms', () => {
    const { signals, notices, resources } = fromResponse(
      url,
      [
        ['Content-Type', 'text/html'],
        ['Content-Usage', 'train-ai=n, search=y'],
        ['Content-Signal', 'ai-input=yes'],
        ['WWW-Authenticate', 'Bearer resource_metadata="/meta"'],
      ],
      '<section class="ahp-notice"><a href="/.well-known/agent.json">manifest</a></section><form toolname="t">',
    )
    expect(signals).toEqual({
      contentUsage: { 'train-ai': 'n', search: 'y' },
      contentSignal: { 'ai-input': true },
      forms: [{ name: 't', autoSubmit: false }],
    })
    expect(notices).toEqual([{ url: 'https://example.com/.well-known/agent.json', text: 'manifest' }])
    expect(kinds(resources)).toEqual(['ahp-manifest', 'oauth-protected-resource'])
    expect(resources.every(({ state, verified }) => state === 'advertised' && !verified)).toBe(true)
  })

  it('takes any usual form of headers, and bytes', () => {
    const link = '</llms.txt>; rel=describedby'
    const expected = ['https://example.com/llms.txt']
    for (const headers of [
      new Headers({ link }),
      { Link: link },
      { link: [link] },
      [['LINK', link]] as const,
    ]) {
      expect(fromResponse(url, headers).resources.map((resource) => resource.url)).toEqual(expected)
    }
    const body = new TextEncoder().encode('\ufeff<!doctype html><link rel=describedby href=/llms.txt>')
    expect(fromResponse(url, {}, body).resources.map((resource) => resource.url)).toEqual(expected)
  })

  it('marks other origins and keeps fragments', () => {
    expect(fromResponse(url, { link: '<https://o.example/x#y>; rel=ard' }).resources).toMatchObject([
      { url: 'https://o.example/x#y', crossOrigin: true },
    ])
  })

  it('identifies a body that is a document, with what it names', () => {
    const body = JSON.stringify({ linkset: [{ anchor: '/', 'service-desc': [{ href: '/openapi.json' }] }] })
    expect(fromResponse(url, { 'content-type': 'application/linkset+json' }, body).resources).toMatchObject([
      { url, kind: 'api-catalog', state: 'verified' },
      { url: 'https://example.com/openapi.json', kind: 'openapi', state: 'advertised' },
    ])
    const json = (text: string): readonly Resource[] =>
      fromResponse(url, { 'content-type': 'application/json' }, text).resources
    expect(json('{"a":1}')).toEqual([])
    expect(json('{"ahp":"0.1","modes":["MODE1"]}')).toMatchObject([
      { kind: 'ahp-manifest', state: 'invalid' },
    ])
  })
})
