import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { identify } from './identify.js'
import type { Identification } from './identification.js'

const of = (
  data: unknown,
  path = '/.well-known/agent.json',
  mediaType = 'application/json',
): Identification =>
  identify({
    text: typeof data === 'string' ? data : JSON.stringify(data),
    url: `https://example.com${path}`,
    mediaType,
  })

const INTERFACES = [{ url: 'https://a.example/a2a', protocolBinding: 'JSONRPC', protocolVersion: '1.0' }]
const AHP = {
  ahp: '0.1',
  name: 'S',
  modes: ['MODE1'],
  endpoints: { content: '/x' },
  capabilities: [{ name: 'a', description: 'd', mode: 'MODE1' }],
  authentication: 'none',
  content_signals: { ai_train: false, ai_input: true, search: true },
}

describe('identify', () => {
  it('knows an A2A card of 1.0 without url (A2-02)', () => {
    expect(of({ name: 'X', supportedInterfaces: INTERFACES, skills: [] })).toMatchObject({
      kind: 'a2a-agent-card',
      version: '1.0',
      verdict: 'verified',
      endpoint: 'https://a.example/a2a',
    })
    expect(of({ name: 'X', supportedInterfaces: [{}], skills: [] })).toMatchObject({
      kind: 'a2a-agent-card',
      verdict: 'invalid',
      reasons: ['no-usable-interface'],
    })
  })

  it('leaves open whom metadata of a resource is for that lies elsewhere (RFC 9728, 3.3)', () => {
    const text = JSON.stringify({ resource: 'https://a.example/mcp', authorization_servers: [] })
    const judge = (path: string): object => {
      const { verdict, reasons } = identify({
        text,
        url: `https://a.example${path}`,
        expected: 'oauth-protected-resource',
      })
      return { verdict, reasons }
    }
    expect(judge('/.well-known/oauth-protected-resource/mcp')).toEqual({ verdict: 'verified', reasons: [] })
    expect(judge('/meta/mcp.json')).toEqual({ verdict: 'reachable', reasons: ['unconfirmed-resource'] })
    expect(judge('/.well-known/oauth-protected-resource/other')).toEqual({
      verdict: 'invalid',
      reasons: ['resource-mismatch'],
    })
  })

  it('knows a list of MCP servers by one that can be used', () => {
    const at = 'https://a.example/.well-known/mcp'
    const judge = (data: object): object => {
      const { kind, verdict, reasons } = identify({ text: JSON.stringify(data), url: at })
      return { kind, verdict, reasons }
    }
    const verified = { kind: 'mcp-directory', verdict: 'verified', reasons: [] }
    expect(judge({ mcpServers: { a: { command: 'npx' } } })).toEqual(verified)
    expect(judge({ servers: [{ endpoint: '/mcp' }, 1] })).toEqual(verified)
    expect(judge({ servers: [] })).toEqual(verified)
    for (const data of [{ servers: [1, {}] }, { mcpServers: { a: 'x' } }])
      expect(judge(data)).toEqual({ ...verified, verdict: 'invalid', reasons: ['no-usable-server'] })
  })

  it('names both kinds of a document that is two', () => {
    expect(of({ ...AHP, supportedInterfaces: INTERFACES, skills: [] })).toMatchObject({
      kind: 'ahp-manifest',
      alternatives: ['a2a-agent-card'],
    })
    expect(of({ ...AHP, supportedInterfaces: INTERFACES, skills: [] }).warnings).toContain(
      'ambiguous-document',
    )
  })

  it('judges AHP by its contract package and leaves other versions open', () => {
    expect(of(AHP)).toMatchObject({ kind: 'ahp-manifest', verdict: 'verified', reasons: [] })
    const broken = of({ ...AHP, content_signals: undefined })
    expect(broken).toMatchObject({ kind: 'ahp-manifest', verdict: 'invalid' })
    expect(broken.reasons[0]).toMatch(/^AHP01-\S+ at \/content_signals$/)
    expect(of({ ...AHP, ahp: '9.0' })).toMatchObject({
      kind: 'ahp-manifest',
      verdict: 'reachable',
      reasons: ['unsupported-version'],
    })
    expect(of({ ...AHP, modes: ['MODE4'] }).kind).toBe('unknown-agent-json')
    expect(of({ ...AHP, modes: [] }).kind).toBe('unknown-agent-json')
  })

  it.each([
    [{ schema_version: '1.0', name: 'x', url: 'https://mcp.example/mcp' }],
    [{ url: 'https://a.example', skills: [], capabilities: [] }],
    [
      {
        schema_version: '1',
        url: 'https://a.example',
        skills: [],
        capabilities: {},
        defaultInputModes: [],
        defaultOutputModes: [],
      },
    ],
    [{}],
    [[1]],
  ])('calls a stranger at agent.json a stranger, and no endpoint: %j', (data) => {
    const found = of(data)
    expect(found).toMatchObject({ kind: 'unknown-agent-json', verdict: 'invalid', named: [] })
    expect(found.endpoint).toBeUndefined()
  })

  it.each([
    ['aadp-manifest', { aadp_version: '7.0' }, '/x', 'invalid', 'unsupported-version'],
    ['openapi', { swagger: '2.0', info: { title: 'x' }, paths: {} }, '/x', 'verified', undefined],
    ['openapi', { openapi: '3.2.0', info: {} }, '/x', 'invalid', 'missing-member: info.title'],
    ['agents-json', { agentsJson: '0.1', flows: [] }, '/agents.json', 'verified', undefined],
    ['ucp-profile', { ucp: { version: '2026-01-11' } }, '/.well-known/ucp', 'verified', undefined],
    [
      'http-message-signatures-directory',
      { keys: [{ kty: 'OKP' }] },
      '/.well-known/http-message-signatures-directory',
      'verified',
      undefined,
    ],
    [
      'http-message-signatures-directory',
      { keys: [] },
      '/.well-known/http-message-signatures-directory',
      'invalid',
      'no-usable-key',
    ],
    ['nlweb', { ask: '/ask' }, '/.well-known/nlweb.json', 'reachable', 'no-known-signature'],
    ['aid', { v: 'aid1', p: 'mcp', u: 'https://a.example/' }, '/.well-known/agent', 'verified', undefined],
    [
      'aid',
      { v: 'aid1', p: 'mcp', u: 'http://a.example/' },
      '/.well-known/agent',
      'invalid',
      'remote-uri-not-https',
    ],
    ['unknown-json', { a: 1 }, '/x.json', 'reachable', 'no-known-signature'],
    [
      'oauth-protected-resource',
      { resource: 'https://other.example/', authorization_servers: [] },
      '/.well-known/oauth-protected-resource',
      'invalid',
      'resource-mismatch',
    ],
    [
      'oauth-authorization-server',
      { issuer: 'https://example.com/', token_endpoint: '/t', response_types_supported: [] },
      '/.well-known/oauth-authorization-server',
      'verified',
      undefined,
    ],
    [
      'openid-configuration',
      { issuer: 'https://example.com/t' },
      '/t/.well-known/openid-configuration',
      'invalid',
      'missing-member: authorization_endpoint',
    ],
    [
      'mcp-server-card',
      { $schema: 'https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json', name: 'a/b' },
      '/mcp/server-card',
      'invalid',
      'missing-member: version',
    ],
  ])('%s: %j at %s is %s', (kind, data, path, verdict, reason) => {
    expect(of(data, path)).toMatchObject({
      kind,
      verdict,
      reasons: reason === undefined ? [] : (expect.arrayContaining([reason]) as unknown),
    })
  })

  it.each([
    [
      'rsl-license',
      '<?xml version="1.0"?><!-- x --><rsl xmlns="https://rslstandard.org/rsl"/>',
      'application/rsl+xml',
      'verified',
    ],
    ['rsl-license', '<rsl/>', 'application/xml', 'invalid'],
    ['sitemap', '\ufeff<?xml version="1.0"?>\n<urlset xmlns="x">', 'application/xml', 'verified'],
    ['openapi', 'openapi: "3.1.0"\ninfo:\n  title: x\npaths: {}\n', 'application/yaml', 'verified'],
    ['markdown', '[link](x) text', 'text/markdown', 'verified'],
    ['markdown', '{not json} text', 'text/markdown', 'verified'],
    ['markdown', '<!-- c --><!-- d --><html><body>', 'text/markdown', 'invalid'],
    ['linked-resource', 'hello', 'application/json', 'invalid'],
    ['linked-resource', '', 'text/plain', 'invalid'],
  ])('%s: %j as %s is %s', (kind, text, mediaType, verdict) => {
    expect(of(text, '/x', mediaType)).toMatchObject({ kind, verdict })
  })

  it('knows a linkset in the syntax of the Link field by its type (RFC 9264, 4.1)', () => {
    const text = '<https://a.example/openapi.json>\n  ; rel="service-desc"\n  ; anchor="https://a.example/"\n'
    const found = of(text, '/.well-known/api-catalog', 'application/linkset')
    expect(found).toMatchObject({
      kind: 'api-catalog',
      verdict: 'verified',
      warnings: [],
      named: [{ kind: 'openapi', url: 'https://a.example/openapi.json' }],
    })
    expect(of(text, '/.well-known/api-catalog', 'text/plain').verdict).toBe('invalid')
    expect(of('no links', '/.well-known/api-catalog', 'application/linkset').verdict).toBe('invalid')
  })

  it('reads the beginning of hostile markup only', () => {
    for (const text of [
      '<!-- -->'.repeat(100_000),
      '<!--'.repeat(100_000),
      '<?'.repeat(100_000),
      `<rsl ${'a '.repeat(100_000)}`,
    ]) {
      expect(of(text, '/x', 'text/plain').verdict).not.toBe('verified')
    }
  })

  it('has an answer for any JSON at any path, whatever its members are called', () => {
    const key = fc.constantFrom(
      '__proto__',
      'constructor',
      'toString',
      'ahp',
      'modes',
      'skills',
      'url',
      'entries',
      'linkset',
      'servers',
      'mcpServers',
      'resource',
      'issuer',
      'keys',
      'aadp_version',
      'openapi',
      'remotes',
      'packages',
      'tools',
      'supportedInterfaces',
      'services',
      'type',
      'endpoints',
      'agent_auth',
      'serverInfo',
      'data',
    )
    const { value } = fc.letrec<{ value: unknown }>((tie) => ({
      value: fc.oneof(
        { depthSize: 'small' },
        fc.constantFrom(
          null,
          true,
          1,
          '',
          'MODE1',
          '0.1',
          '1.0',
          'https://eips.ethereum.org/EIPS/eip-8004',
          'https://a.example/',
        ),
        fc.array(tie('value'), { maxLength: 3 }),
        fc.dictionary(key, tie('value'), { maxKeys: 6 }),
      ),
    }))
    const path = fc.constantFrom(
      '/',
      '/.well-known/agent.json',
      '/.well-known/ard.json',
      '/.well-known/api-catalog',
      '/.well-known/mcp',
      '/.well-known/agent-skills/index.json',
      '/.well-known/oauth-authorization-server/x',
      '/.well-known/oauth-protected-resource',
      '/.well-known/agent',
    )
    fc.assert(
      fc.property(value, path, (data, at) => {
        const found = of(JSON.stringify(data), at)
        for (const { url } of found.named) expect(url).toMatch(/^https?:/)
        if (found.verdict !== 'verified') expect(found.reasons.length).toBeGreaterThan(0)
      }),
      { numRuns: 3000 },
    )
  })
})
