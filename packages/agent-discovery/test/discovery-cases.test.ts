import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { casesDir } from '@internal/vectors'
import { describe, expect, it } from 'vitest'
import { fromResponse } from '../src/response/from-response.js'
import { identify } from '../src/kinds/identify.js'
import type { Identification } from '../src/kinds/identification.js'
import { parseLinkHeader } from '../src/link.js'
import { redactUrl } from '../src/url/redact-url.js'
import { isErrorPage } from '../src/llms-txt.js'

const directory = join(casesDir(), 'discovery')

interface CaseResource {
  readonly url: string
  readonly kind: string
  readonly rel?: string
  readonly rels?: readonly string[]
  readonly title?: string
  readonly titleLanguage?: string
  readonly mediaType?: string
  readonly source?: string
  readonly context?: string
  readonly crossOrigin?: boolean
}

interface Case {
  readonly input: {
    readonly type: string
    readonly finalUrl?: string
    readonly url?: string
    readonly lines?: readonly string[]
    readonly contentType?: string
    readonly headers?: readonly (readonly [string, string])[]
    readonly body?: string
    readonly get?: { readonly headers: Readonly<Record<string, string>>; readonly body: string }
    readonly docs?: readonly {
      readonly id: string
      readonly url?: string
      readonly contentType?: string
      readonly body: unknown
    }[]
  }
  readonly expected: Readonly<Record<string, unknown>> & {
    readonly resources?: readonly CaseResource[]
    readonly parsedCount?: number
    readonly notAgentResources?: number
  }
}

function load(prefix: string): Case {
  const names = [
    '01-link-valueless-param-then-next-link',
    '02-link-commas-inside-uri-and-quotes',
    '03-link-title-star-and-two-links',
    '04-link-anchor-rescopes-context',
    '06-link-extension-rel-and-case',
    '07-html-alternates-hreflang-feeds-markdown',
    '08-html-base-href-vs-link-header-base',
    '12-soft404-markdown-error-page',
    '13-agent-json-is-ahp',
    '14-agent-json-is-legacy-a2a',
    '17-mcp-server-card-shapes',
    '18-ard-and-ai-catalog',
    '22-as-metadata-agent-auth-without-issuer',
    '26-agent-skills-index-versions',
    '29-agent-json-is-erc-8004',
    '31-as-metadata-from-the-hosting-platform-and-presigned-href',
  ]
  const name = names.find((candidate) => candidate.startsWith(prefix)) ?? prefix
  return JSON.parse(readFileSync(join(directory, `${name}.json`), 'utf8')) as Case
}

function identifyDocuments({ input }: Case): Record<string, Identification> {
  const documents = (input.docs ?? []).map(({ id, url, contentType, body }) => {
    const text = JSON.stringify(body)
    const at = url ?? input.url ?? 'https://example.com/.well-known/ard.json'
    return [id, identify({ text, url: at, mediaType: contentType ?? 'application/json' })] as const
  })
  return Object.fromEntries(documents)
}

function identifyBody({ input: { url = '', get } }: Case): Identification {
  return identify({ text: get?.body ?? '', url, mediaType: get?.headers['content-type'] })
}

describe.skipIf(!existsSync(directory))(`discovery cases in ${directory}`, () => {
  it.each(['01', '02', '03', '04', '06', '07', '08'])('case %s: what a response says', (prefix) => {
    const { input, expected } = load(prefix)
    const url = input.finalUrl ?? ''
    const headers = input.headers ?? [
      ...(input.lines ?? []).map((line) => ['link', line] as const),
      ...(input.contentType ? [['content-type', input.contentType] as const] : []),
    ]
    const { resources, ignoredLinks } = fromResponse(url, headers, input.body)
    const byUrl = new Map(resources.map((resource) => [resource.url, resource]))
    expect([...byUrl.keys()].sort()).toEqual(
      (expected.resources ?? []).map((resource) => resource.url).sort(),
    )
    for (const wanted of expected.resources ?? []) {
      const found = byUrl.get(wanted.url)
      const [source] = found?.sources ?? []
      expect(found).toMatchObject({
        kind: wanted.kind,
        ...(wanted.title && { title: wanted.title }),
        ...(wanted.titleLanguage && { titleLanguage: wanted.titleLanguage }),
        ...(wanted.mediaType && { mediaType: wanted.mediaType }),
        ...(wanted.crossOrigin !== undefined && { crossOrigin: wanted.crossOrigin }),
      })
      if (wanted.source) expect(source?.name).toBe(wanted.source)
      if (wanted.rel) expect(source?.relations).toContain(wanted.rel)
      if (wanted.rels) expect(source?.relations).toEqual(wanted.rels)
      if (wanted.context) expect(found?.context ?? url).toBe(wanted.context)
    }
    if (expected.parsedCount !== undefined) {
      const { links } = parseLinkHeader(input.lines ?? [], { url })
      expect(links.flatMap(({ rels }) => rels)).toHaveLength(expected.parsedCount)
    }
    if (expected.notAgentResources !== undefined) expect(ignoredLinks).toBe(expected.notAgentResources)
  })

  it('case 04: a claim about somebody else is no resource', () => {
    const { input } = load('04')
    expect(fromResponse(input.finalUrl ?? '', { link: input.lines ?? [] }).foreign).toEqual([
      {
        url: 'https://other.example/api.json',
        context: 'https://other.example/',
        relations: ['service-desc'],
      },
    ])
  })

  it('case 12: a Markdown error page', () => {
    expect(isErrorPage(load('12').input.get?.body ?? '')).toBe(true)
  })

  it('case 13: an AHP manifest at agent.json', () => {
    const found = identifyBody(load('13'))
    expect(found).toMatchObject({
      kind: 'ahp-manifest',
      verdict: 'verified',
      version: '0.1',
      signature: ['ahp is a "N.N" string', 'modes is a non-empty array of MODE1..3'],
    })
    expect(found.named.map(({ url, kind }) => [url, kind])).toEqual([
      ['https://example.com/agent/converse', 'ahp-converse'],
      ['https://example.com/llms.txt', 'llms-txt'],
    ])
  })

  it('case 14: an older A2A card at agent.json', () => {
    expect(identifyBody(load('14'))).toMatchObject({
      kind: 'a2a-agent-card',
      verdict: 'verified',
      version: '0.3',
      endpoint: 'https://example.com/a2a',
      warnings: ['legacy-path: the current path is /.well-known/agent-card.json'],
    })
  })

  it('case 17: the shapes of MCP documents', () => {
    const found = identifyDocuments(load('17'))
    expect(found['sep-2127']).toMatchObject({
      kind: 'mcp-server-card',
      variant: 'sep-2127',
      verdict: 'verified',
      named: [],
      claims: { remoteTemplate: 'https://{tenant}.example.com/mcp' },
    })
    expect(found['sep-1649-era']).toMatchObject({
      kind: 'mcp-server-card',
      variant: 'sep-1649',
      verdict: 'verified',
      endpoint: 'https://example.com/mcp',
    })
    expect(found['directory']).toMatchObject({
      kind: 'mcp-directory',
      named: [{ url: 'https://example.com/mcp' }],
    })
    expect(found['client-config']).toMatchObject({ kind: 'mcp-directory', variant: 'mcpServers' })
    expect(found['a2a-by-mistake']).toMatchObject({ kind: 'a2a-agent-card', verdict: 'invalid' })
    expect(found['a2a-by-mistake']?.warnings).toContain('unexpected-path')
  })

  it('case 18: ARD and AI catalogues', () => {
    const found = identifyDocuments(load('18'))
    expect(found['ard-0.91']).toMatchObject({
      kind: 'ai-catalog',
      variant: 'ard-0.91',
      verdict: 'verified',
      named: [
        { kind: 'mcp-server-card', url: 'https://example.com/mcp/server-card' },
        { kind: 'a2a-agent-card', inline: true },
      ],
    })
    expect(found['ai-catalog-1.0']).toMatchObject({
      variant: 'ai-catalog-1.0',
      verdict: 'verified',
      named: [{ kind: 'mcp-server-card', url: 'https://example.com/mcp/server-card' }],
    })
    expect(found['both-url-and-data']?.warnings).toEqual(['entry 0: exactly one of url/data'])
    expect(found['nested-loop']).toMatchObject({ verdict: 'verified', named: [] })
    expect(found['spa-entries']).toMatchObject({ verdict: 'invalid', reasons: ['signature-mismatch'] })
  })

  it('case 22: server metadata with agent_auth and without an issuer', () => {
    expect(identifyBody(load('22'))).toMatchObject({
      kind: 'oauth-authorization-server',
      verdict: 'invalid',
      reasons: ['missing-issuer'],
      warnings: ['looks-like-protected-resource-metadata'],
      named: [{ url: 'https://example.com/auth.md', kind: 'auth-md', via: 'agent_auth.skill' }],
    })
  })

  it('case 26: versions of the skills index', () => {
    const found = identifyDocuments(load('26'))
    expect(found['v0.2.0']).toMatchObject({
      kind: 'agent-skills-index',
      verdict: 'verified',
      named: [
        { title: 'code-review', url: 'https://example.com/.well-known/agent-skills/code-review/SKILL.md' },
      ],
      skipped: [
        { name: 'Bad--Name', why: 'invalid name, invalid digest' },
        { name: 'later', why: 'unknown type' },
      ],
    })
    expect(found['v0.1.0']).toMatchObject({
      kind: 'agent-skills-index',
      variant: '0.1.0',
      named: [{ url: 'https://example.com/.well-known/skills/git/SKILL.md' }],
    })
    expect(found['unknown-schema']).toMatchObject({
      verdict: 'invalid',
      reasons: ['unsupported-version'],
      named: [],
    })
    expect(found['empty-valid']).toMatchObject({ kind: 'agent-skills-index', verdict: 'verified', named: [] })
  })

  it('case 29: an ERC-8004 registration at agent.json', () => {
    const { input } = load('29')
    const text = JSON.stringify(input.docs?.[0]?.body)
    expect(
      identify({ text, url: 'https://example.com/.well-known/agent.json', mediaType: 'application/json' }),
    ).toMatchObject({
      kind: 'erc-8004-registration',
      verdict: 'verified',
      named: [
        { url: 'https://example.com/mcp', kind: 'mcp-endpoint' },
        { url: 'https://example.com/.well-known/agent-card.json', kind: 'a2a-agent-card' },
      ],
    })
  })

  it('case 31: metadata of a hosting platform, and a signed address', () => {
    const found = identifyDocuments(load('31'))
    expect(found['platform-as']).toMatchObject({
      kind: 'oauth-authorization-server',
      verdict: 'invalid',
      reasons: ['issuer-mismatch'],
      claims: { issuer: 'https://clerk.example.net' },
    })
    expect(found['presigned']).toMatchObject({
      kind: 'api-catalog',
      verdict: 'verified',
      warnings: ['media-type-not-linkset'],
      named: [{ kind: 'openapi' }],
    })
    expect(redactUrl(found['presigned']?.named[0]?.url ?? '')).toEqual({
      url: 'https://bucket.s3.amazonaws.com/openapi.json?X-Amz-Credential=REDACTED&X-Amz-Expires=REDACTED&X-Amz-Signature=REDACTED',
      ephemeral: true,
    })
  })
})
