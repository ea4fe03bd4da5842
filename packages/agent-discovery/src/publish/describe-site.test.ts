import { parse } from 'parse5'
import { describe, expect, it } from 'vitest'
import { fromResponse } from '../response/from-response.js'
import { identify } from '../kinds/identify.js'
import { parseLlmsTxt } from '../llms-txt.js'
import { describeSite, type SiteDescription } from '../publish.js'
import { parseRobots, robotsSignals } from '../robots.js'
import { PUBLICATIONS, publicationOf, type PublishedKind } from './publication.js'

const site: SiteDescription = {
  url: 'https://shop.example/',
  name: 'Shop & <Co>',
  summary: 'Sells "things".',
  contentSignal: { search: true, 'ai-train': false },
  contentUsage: { 'train-ai': 'n' },
  resources: [
    { kind: 'ahp-manifest', url: '/.well-known/agent.json', title: 'Manifest "x" <y>' },
    { kind: 'llms-txt', url: '/llms.txt' },
    { kind: 'llms-full-txt', url: '/llms-full.txt' },
    { kind: 'auth-md', url: '/auth.md' },
    { kind: 'openapi', url: 'https://api.example/openapi.json', title: 'Bücher-API' },
    { kind: 'api-documentation', url: '/docs?a=1&b=2' },
    { kind: 'mcp-server-card', url: '/mcp/server-card' },
    { kind: 'mcp-endpoint', url: '/mcp' },
    { kind: 'a2a-agent-card', url: '/.well-known/agent-card.json' },
    { kind: 'agent-skills-index', url: '/.well-known/agent-skills/index.json' },
    { kind: 'ai-catalog', url: '/.well-known/ard.json' },
    { kind: 'rsl-license', url: '/license.xml' },
    { kind: 'sitemap', url: '/sitemap.xml' },
  ],
}
const signals = describeSite(site)
const kindsOf = (predicate: (kind: PublishedKind) => boolean): string[] =>
  site.resources
    .map(({ kind }) => kind)
    .filter(predicate)
    .sort()

describe('describeSite', () => {
  it('writes a Link header in which this package finds the same kinds', () => {
    const { resources, dropped } = fromResponse(site.url, { link: signals.linkHeader })
    expect(dropped).toEqual([])
    expect(resources.map(({ kind }) => kind).sort()).toEqual(
      kindsOf((kind) => publicationOf(kind).relation !== undefined),
    )
    expect(resources.find(({ kind }) => kind === 'openapi')).toMatchObject({
      url: 'https://api.example/openapi.json',
      title: 'Bücher-API',
      crossOrigin: true,
    })
  })

  it('writes a head and a notice in which it finds them too', () => {
    const html = `<!doctype html><head>${signals.htmlHead}</head><body>${signals.htmlNotice}`
    const { resources, notices } = fromResponse(site.url, { 'content-type': 'text/html' }, html)
    expect(resources.map(({ kind }) => kind).sort()).toEqual(
      kindsOf((kind) => publicationOf(kind).relation !== undefined || publicationOf(kind).meta !== undefined),
    )
    expect(resources.find(({ kind }) => kind === 'ahp-manifest')?.title).toBe('Manifest "x" <y>')
    expect(notices).toEqual([
      {
        url: 'https://shop.example/.well-known/agent.json',
        text: expect.stringContaining('Shop & <Co>') as unknown,
      },
    ])
    expect(
      JSON.stringify(parse(html), (key, value: unknown) => (key === 'parentNode' ? undefined : value)),
    ).not.toContain('"tagName":"co"')
  })

  it('writes every publishable kind so that it is found again', () => {
    for (const kind of Object.keys(PUBLICATIONS) as PublishedKind[]) {
      const { linkHeader } = describeSite({ url: site.url, name: 'x', resources: [{ kind, url: '/x' }] })
      const expected = kind === 'aadp-manifest' ? 'api-catalog' : kind // an AADP manifest is told by its content
      expect(fromResponse(site.url, { link: linkHeader }).resources.map((resource) => resource.kind)).toEqual(
        linkHeader === '' ? [] : [expected],
      )
    }
  })

  it('writes llms.txt, a catalogue, an ARD manifest and robots lines that are what they should be', () => {
    expect(parseLlmsTxt(signals.llmsTxt, { url: 'https://shop.example/llms.txt' })).toMatchObject({
      title: 'Shop & <Co>',
      summary: 'Sells "things".',
      sections: [{ name: 'Agent resources', links: { length: 11 } }],
    })
    const catalog = identify({
      text: JSON.stringify(signals.apiCatalog),
      url: 'https://shop.example/.well-known/api-catalog',
      mediaType: 'application/linkset+json',
    })
    expect(catalog).toMatchObject({ kind: 'api-catalog', verdict: 'verified', warnings: [] })
    expect(catalog.named.map(({ kind }) => kind).sort()).toEqual([
      'api-documentation',
      'linked-resource',
      'openapi',
    ])
    const manifest = identify({
      text: JSON.stringify(signals.ard),
      url: 'https://shop.example/.well-known/ard.json',
      mediaType: 'application/json',
    })
    expect(manifest).toMatchObject({ kind: 'ai-catalog', verdict: 'verified', warnings: [] })
    expect(manifest.named.map(({ kind }) => kind).sort()).toEqual([
      'a2a-agent-card',
      'agent-skills-index',
      'ahp-manifest',
      'mcp-server-card',
      'openapi',
    ])
    const robots = parseRobots(`User-agent: *\nDisallow: /private\n\n${signals.robotsLines}`, {
      url: 'https://shop.example/robots.txt',
    })
    expect(robots.pointers.map(({ kind }) => kind)).toEqual(['ai-catalog', 'rsl-license', 'sitemap'])
    expect(robotsSignals(robots, { path: '/private' })).toEqual({
      group: '*',
      contentSignal: { search: true, 'ai-train': false },
      contentUsage: { usage: { 'train-ai': 'n' } },
      allowed: false,
    })
  })

  it('refuses what cannot be published', () => {
    const publish = (kind: string, url: string): unknown =>
      describeSite({ url: site.url, name: 'x', resources: [{ kind: kind as PublishedKind, url }] })
    expect(() => publish('toString', '/x')).toThrow(
      expect.objectContaining({ code: 'invalid_option', option: 'resources[0].kind' }),
    )
    expect(() => publish('openapi', 'javascript:x')).toThrow(
      expect.objectContaining({ code: 'invalid_option' }),
    )
    expect(describeSite({ url: site.url, name: 'x', resources: [] })).toMatchObject({
      linkHeader: '',
      htmlHead: '',
      htmlNotice: '',
      robotsLines: '',
      apiCatalog: { linkset: [] },
    })
  })

  it('states no preference that was not given, and none that is no preference', () => {
    const site = { url: 'https://shop.example/', name: 'Shop', resources: [] }
    expect(
      describeSite({ ...site, contentSignal: { search: undefined, 'ai-train': false } as never }),
    ).toMatchObject({
      robotsLines: 'User-agent: *\nContent-Signal: ai-train=no\n',
    })
    for (const wrong of [
      { contentSignal: { search: 'no' } },
      { contentUsage: { 'x\nDisallow: /': 'y' } },
      { contentUsage: { search: 'yes' } },
      { resources: undefined },
      { name: undefined },
      { resources: [{ kind: 'openapi', url: '/x', mediaType: 'a\r\nb' }] },
    ]) {
      expect(() => describeSite({ ...site, ...wrong } as never)).toThrow(
        expect.objectContaining({ code: 'invalid_option' }),
      )
    }
  })
})
