import { describe, expect, it } from 'vitest'
import { lookupAgentRecords, parseAidRecord, parseAidRecords, parseSvcbRecord, readBinding } from '../dns.js'

describe('AID records', () => {
  it('concatenates strings and knows aliases in any case (case 25)', () => {
    expect(parseAidRecord(['v=aid2;p=mcp;u=https://api.example.com/mcp;', 'k=abc;s=Tools'])).toEqual({
      record: {
        version: 'aid2',
        protocol: 'mcp',
        url: 'https://api.example.com/mcp',
        publicKey: 'abc',
        description: 'Tools',
        unknownKeys: [],
      },
    })
    expect(parseAidRecord(['V=AID1; URI=https://api.example.com/a2a ; proto=a2a; x=1'])).toMatchObject({
      record: { version: 'aid1', protocol: 'a2a', url: 'https://api.example.com/a2a', unknownKeys: ['x'] },
    })
  })

  it('refuses what could mislead (case 25)', () => {
    expect(
      parseAidRecords([['v=aid1;u=http://api.example.com/mcp;p=mcp'], ['google-site-verification=zzz']]),
    ).toEqual({
      problems: ['remote-uri-not-https'],
      ambiguous: false,
    })
    expect(parseAidRecord(['v=aid1;u=docker:acme/mcp:latest;p=local'])).toEqual({
      record: { version: 'aid1', protocol: 'local', locator: 'docker:acme/mcp:latest', unknownKeys: [] },
    })
    expect(
      parseAidRecords([['v=aid1;u=https://a.example/;p=mcp'], ['v=aid1;u=https://b.example/;p=mcp']]),
    ).toEqual({
      problems: [],
      ambiguous: true,
    })
  })

  it.each([
    ['v=aid1;p=mcp', 'missing-uri'],
    ['v=aid1;u=https://a.example/', 'missing-protocol'],
    ['v=aid1;u=https://a.example/;p=ftp', 'unknown-protocol'],
    ['v=aid1;u=https://u:p@a.example/;p=mcp', 'invalid-uri'],
    ['v=aid1;u=https://a.example/;uri=https://b.example/;p=mcp', 'repeated-key'],
    ['v=aid1;u=javascript:x;p=mcp', 'remote-uri-not-https'],
    ['v=aid3;u=https://a.example/;p=mcp', 'not-aid'],
    [`v=aid1;${'x=1;'.repeat(2000)}`, 'not-aid'],
  ])('judges %.60s as %s', (text, problem) => {
    expect(parseAidRecord([text])).toEqual({ problem })
  })

  it('accepts wss for websocket only', () => {
    expect(parseAidRecord(['v=aid1;p=websocket;u=wss://a.example/s'])).toMatchObject({
      record: { url: 'wss://a.example/s' },
    })
    expect(parseAidRecord(['v=aid1;p=mcp;u=wss://a.example/s'])).toEqual({ problem: 'remote-uri-not-https' })
  })
})

describe('DNS-AID records', () => {
  it('reads service bindings (case 25)', () => {
    expect(readBinding('_index._agents.example.com', '1 example.com. alpn="h2,http/1.1" port=443')).toEqual([
      { kind: 'dns-aid-index', target: 'example.com', port: 443 },
    ])
    expect(
      readBinding(
        '_chat._mcp._agents.example.com',
        '1 mcp.example.com. alpn="mcp" port=443 key65400="https://example.com/cap.json"',
      ),
    ).toEqual([
      {
        kind: 'dns-aid-agent',
        protocol: 'mcp',
        target: 'mcp.example.com',
        port: 443,
        capability: 'https://example.com/cap.json',
      },
    ])
    expect(parseSvcbRecord('nonsense')).toBeUndefined()
    expect(parseSvcbRecord('70000 a.')).toBeUndefined()
    expect([...(parseSvcbRecord('0 . a="x\\"y" b')?.parameters ?? [])]).toEqual([
      ['a', 'x"y'],
      ['b', ''],
    ])
  })
})

describe('lookupAgentRecords', () => {
  const failure = (code: string): Error => Object.assign(new Error('no'), { code })

  it('asks the given resolver and reports failures as data', async () => {
    const asked: string[] = []
    const resolver = {
      resolveTxt: (name: string) => {
        asked.push(name)
        return Promise.resolve([['v=aid1;p=mcp;u=https://a.example/']])
      },
      resolveSvcb: (name: string) => {
        asked.push(name)
        return name.startsWith('_index')
          ? Promise.reject(failure('ENOTFOUND'))
          : Promise.reject(failure('ETIMEOUT'))
      },
    }
    expect(await lookupAgentRecords('example.com', { resolver, agents: ['_chat._mcp'] })).toEqual({
      aid: { version: 'aid1', protocol: 'mcp', url: 'https://a.example/', unknownKeys: [] },
      aidProblems: [],
      ambiguous: false,
      dnsAid: [],
      failed: ['_chat._mcp._agents.example.com'],
    })
    expect(asked).toEqual([
      '_agent.example.com',
      '_index._agents.example.com',
      '_chat._mcp._agents.example.com',
    ])
  })

  it('refuses what is no host name and rejects with the reason of an abort', async () => {
    const resolver = { resolveTxt: () => Promise.resolve([]) }
    await expect(lookupAgentRecords('a b', { resolver })).rejects.toMatchObject({
      code: 'invalid_option',
      option: 'domain',
    })
    await expect(
      lookupAgentRecords('a.example', { resolver, signal: AbortSignal.abort('stop') }),
    ).rejects.toBe('stop')
  })
})

describe('resolvers that misbehave', () => {
  it.each([
    [
      'throws',
      () => {
        throw new Error('x')
      },
    ],
    ['gives no list', () => Promise.resolve(null)],
    ['never answers', () => new Promise(() => undefined)],
  ])('counts as failed one that %s', async (_how, resolveTxt) => {
    const resolver = { resolveTxt: resolveTxt as never }
    const { failed } = await lookupAgentRecords('a.example', { resolver, timeoutMs: 5 })
    expect(failed).toEqual(['_agent.a.example'])
  })

  it('passes over records that are none', async () => {
    const resolver = {
      resolveTxt: () => Promise.resolve([[1], 'v=aid1', ['v=aid1;p=mcp;u=https://m.example/']] as never),
    }
    const { aid, failed } = await lookupAgentRecords('a.example', { resolver })
    expect([aid?.url, failed]).toEqual(['https://m.example/', []])
  })

  it('reads the escapes of the presentation form', () => {
    const [record] = readBinding(
      '_index._agents.a.example',
      '1 a. key65400="https:\\/\\047a.example\\/c\\095d"',
    )
    expect(record?.capability).toBe('https://a.example/c_d')
  })

  it('reads a hundred records of a name', async () => {
    const resolver = {
      resolveTxt: () => Promise.resolve([]),
      resolveSvcb: () => Promise.resolve(Array<string>(5000).fill('1 a.example.')),
    }
    expect((await lookupAgentRecords('a_b.example', { resolver })).dnsAid).toHaveLength(100)
  })

  it('rejects with the reason of the signal while one is asked', async () => {
    const controller = new AbortController()
    const resolver = {
      resolveTxt: () => {
        controller.abort(new Error('mine'))
        return new Promise<never>(() => undefined)
      },
    }
    await expect(lookupAgentRecords('a.example', { resolver, signal: controller.signal })).rejects.toThrow(
      'mine',
    )
  })
})
