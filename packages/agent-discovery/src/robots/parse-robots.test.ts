import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseRobots, robotsSignals, type Robots } from '../robots.js'

const url = 'https://example.com/robots.txt'
const parse = (text: string): Robots => parseRobots(text, { url })

const REAL = `\ufeff# As a condition of accessing this website ...
User-agent: *
Content-Signal: search=yes,ai-train=no,use=reference
Content-Usage: train-ai=n
Content-Usage: /ai-ok/ train-ai=y
Allow: /

User-agent: GPTBot
User-Agent: CCBot
Content-signal : ai-train=no, ai-input=maybe
Disallow: /

Agentmap: https://example.com/.well-known/ard.json
License: https://example.com/license.xml
Sitemap: https://example.com/sitemap-a.xml
SITEMAP:https://example.com/sitemap-b.xml # two
Schemamap: /schemamap.xml
`

describe('parseRobots', () => {
  it('reads signals by group and pointers outside groups (case 19)', () => {
    const robots = parse(REAL)
    expect(robotsSignals(robots, { userAgent: 'ExampleAgent/1.0', path: '/ai-ok/page' })).toEqual({
      group: '*',
      contentSignal: { search: true, 'ai-train': false, other: { use: 'reference' } },
      contentUsage: { usage: { 'train-ai': 'y' }, matchedPath: '/ai-ok/' },
      allowed: true,
    })
    expect(robotsSignals(robots).contentUsage).toEqual({ usage: { 'train-ai': 'n' } })
    expect(robots.pointers.map(({ url: target, kind }) => [target, kind])).toEqual([
      ['https://example.com/.well-known/ard.json', 'ai-catalog'],
      ['https://example.com/license.xml', 'rsl-license'],
      ['https://example.com/sitemap-a.xml', 'sitemap'],
      ['https://example.com/sitemap-b.xml', 'sitemap'],
      ['https://example.com/schemamap.xml', 'nlweb-schemamap'],
    ])
    expect(robots.groups[1]).toMatchObject({
      userAgents: ['gptbot', 'ccbot'],
      contentSignal: { 'ai-train': false },
      malformed: ['ai-input=maybe'],
      disallowAll: true,
    })
  })

  it('takes all groups of a token as one and never mixes in those of others', () => {
    const robots = parse(
      'User-agent: a\nDisallow: /x\nUser-agent: b\nDisallow: /y\nUser-agent: a\nContent-Signal: search=no',
    )
    expect(robotsSignals(robots, { userAgent: 'A', path: '/x/1' })).toMatchObject({
      allowed: false,
      contentSignal: { search: false },
    })
    expect(robotsSignals(robots, { userAgent: 'b', path: '/x/1' })).toEqual({ group: 'b', allowed: true })
    expect(robotsSignals(robots, { userAgent: 'c', path: '/x/1' })).toEqual({ allowed: true })
  })

  it('applies signals outside any group to everybody', () => {
    expect(
      robotsSignals(parse('Content-Signal: ai-train=no\nUser-agent: *\nContent-Signal: search=yes')),
    ).toMatchObject({
      contentSignal: { search: true, 'ai-train': false },
    })
  })

  it.each([
    ['Allow: /p\nDisallow: /', '/page', true],
    ['Disallow: /folder\nAllow: /folder', '/folder/x', true],
    ['Disallow: /*.gif$', '/a/b.gif', false],
    ['Disallow: /*.gif$', '/a.gif?x', true],
    ['Disallow: /a*c*e', '/a-b-c-d-e', false],
    ['Disallow: /$', '/', false],
    ['Disallow: /$', '/x', true],
    ['Disallow: /a*b$', '/ab', false],
    ['Disallow: /ab*b$', '/ab', true],
    ['Disallow:', '/', true],
  ])('decides %j for %s', (rules, path, allowed) => {
    expect(robotsSignals(parse(`User-agent: *\n${rules}`), { path }).allowed).toBe(allowed)
  })

  it('keeps names such as __proto__ as names', () => {
    const { groups } = parse(
      'User-agent: *\nContent-Signal: __proto__=yes\nContent-Usage: __proto__=y, constructor=n',
    )
    expect(JSON.stringify(groups[0]?.contentSignal)).toBe('{"other":{"__proto__":"yes"}}')
    expect({}).not.toHaveProperty('yes')
    expect(groups[0]?.malformed).toEqual(['__proto__=y'])
  })

  it('understands no signal without a name or an answer, and none of any length', () => {
    const long = `search${' '.repeat(100_000)}x`
    const [group] = parse(`User-agent: *\nContent-Signal: =yes, search=, x, ${long}, ai-train = no`).groups
    expect(group?.contentSignal).toEqual({ 'ai-train': false })
    expect(group?.malformed).toHaveLength(4)
  })

  it('knows no line in something else', () => {
    expect(parse('<!doctype html><title>x</title><a href="https://a.example">').knownLines).toBe(0)
    expect(parse('Sitemap: javascript:x').pointers).toEqual([])
  })

  it('keeps its limits', () => {
    const many = Array.from({ length: 300 }, (_, index) => `Sitemap: /${index}`).join('\n')
    expect(parse(many)).toMatchObject({ truncated: true, pointers: { length: 200 } })
    expect(parse('x'.repeat(512_001)).truncated).toBe(true)
    expect(() => parseRobots('', { url, maxPointers: Number.NaN })).toThrow(
      expect.objectContaining({ option: 'maxPointers' }),
    )
  })

  it('reads no line that was cut', () => {
    const { groups, truncated } = parseRobots('User-agent: *\nDisallow: /private/', { url, maxLength: 25 })
    expect({ groups, truncated }).toMatchObject({
      groups: [{ rules: [], disallowAll: false }],
      truncated: true,
    })
  })

  it.each([
    ['/\u30c4', '/%E3%83%84/x'],
    ['/%e3%83%84', '/%E3%83%84'],
    ['/%7ejoe', '/~joe'],
    ['/~joe', '/%7Ejoe'],
    ['/%2a', '/*'],
    ['/a$b', '/a$b'],
    ['/a%24$', '/a$'],
  ])('compares %s with %s by octets (RFC 9309, 2.2.2)', (rule, path) => {
    expect(robotsSignals(parse(`User-agent: *\nDisallow: ${rule}`), { path }).allowed).toBe(false)
  })

  it.each([
    ['/%2F', '/a'],
    ['/%2A', '/a'],
    ['/%2Fa', '//a'],
  ])('does not take %s for %s', (rule, path) => {
    expect(robotsSignals(parse(`User-agent: *\nDisallow: ${rule}`), { path }).allowed).toBe(true)
  })

  it('always allows its own file', () => {
    const robots = parse('User-agent: *\nDisallow: /*')
    expect(robots.groups[0]?.disallowAll).toBe(true)
    expect(robotsSignals(robots, { path: '/robots.txt' }).allowed).toBe(true)
    expect(robotsSignals(robots, { path: '/robots.txt?x' }).allowed).toBe(false)
  })

  it('never throws', () => {
    const line = fc
      .tuple(
        fc.constantFrom('user-agent', 'Content-Signal', 'content-usage', 'disallow', 'sitemap', 'x'),
        fc.string(),
      )
      .map(([name, value]) => `${name}: ${value}`)
    fc.assert(
      fc.property(fc.array(line), fc.string(), (lines, path) => {
        expect(typeof robotsSignals(parse(lines.join('\n')), { path }).allowed).toBe('boolean')
      }),
    )
  })
})
