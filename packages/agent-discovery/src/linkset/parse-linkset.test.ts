import { describe, expect, it } from 'vitest'
import { formatLinkset, parseLinkset, parseLinksetText } from '../linkset.js'

const url = 'https://example.com/.well-known/api-catalog'

describe('parseLinkset', () => {
  it('reads back what formatLinkset writes', () => {
    const links = new Map([
      ['service-desc', [{ href: '/openapi.json', type: 'application/openapi+json', title: 'API' }]],
      ['__proto__', [{ href: '/x' }]],
    ])
    expect(
      parseLinkset(JSON.parse(JSON.stringify(formatLinkset([{ anchor: '/api', links }]))), { url }),
    ).toEqual({
      valid: true,
      issues: [],
      truncated: false,
      links: [
        {
          anchor: 'https://example.com/api',
          rel: 'service-desc',
          url: 'https://example.com/openapi.json',
          type: 'application/openapi+json',
          title: 'API',
        },
        { anchor: 'https://example.com/api', rel: '__proto__', url: 'https://example.com/x' },
      ],
    })
  })

  it('accepts an empty linkset', () => {
    expect(parseLinkset({ linkset: [] }, { url })).toEqual({
      valid: true,
      links: [],
      issues: [],
      truncated: false,
    })
  })

  it.each([
    [null, ''],
    [[], ''],
    [{ linkset: {} }, ''],
    [{ linkset: [1] }, '/linkset/0'],
    [{ linkset: [{ anchor: 5 }] }, '/linkset/0/anchor'],
    [{ linkset: [{ item: {} }] }, '/linkset/0/item'],
    [{ linkset: [{ 'a/b~': [{}] }] }, '/linkset/0/a~1b~0/0'],
    [{ linkset: [{ item: [{ href: 'javascript:x' }] }] }, '/linkset/0/item/0'],
  ])('names the fault in %j', (data, path) => {
    const { valid, issues } = parseLinkset(data, { url })
    expect([valid, issues.map((issue) => issue.path)]).toEqual([false, [path]])
  })

  it('gives the good links of a document with bad ones, up to a limit', () => {
    const data = { linkset: [{ item: [{ href: '/a' }, {}, { href: '/b' }, { href: '/c' }] }] }
    expect(parseLinkset(data, { url, maxLinks: 2 })).toMatchObject({ truncated: true, links: { length: 2 } })
  })
})

describe('parseLinksetText', () => {
  it('reads links over several lines, each with its anchor and languages', () => {
    const text = [
      '<https://example.com/openapi.json>',
      '   ; rel="service-desc item"; anchor="/api"; type="application/openapi+json"; title="Bücher",',
      '</de>\r\n; rel=alternate\r\n; hreflang=de ; hreflang="de-AT"',
      '',
    ].join('\n')
    const api = {
      anchor: 'https://example.com/api',
      url: 'https://example.com/openapi.json',
      type: 'application/openapi+json',
      title: 'Bücher',
    }
    expect(parseLinksetText(text, { url })).toEqual({
      valid: true,
      issues: [],
      truncated: false,
      links: [
        { ...api, rel: 'service-desc' },
        { ...api, rel: 'item' },
        { anchor: url, rel: 'alternate', url: 'https://example.com/de', hreflang: ['de', 'de-AT'] },
      ],
    })
  })

  it('gives the good links beside faults, and keeps its limits', () => {
    expect(parseLinksetText('none, </a>; rel=a, </b>', { url })).toMatchObject({
      valid: false,
      links: [{ rel: 'a' }],
      issues: [
        { path: '', message: 'malformed: none' },
        { path: '', message: 'no-rel: /b' },
      ],
    })
    const many = '</a>; rel=a, '.repeat(3)
    expect(parseLinksetText(many, { url, maxLinks: 2 })).toMatchObject({
      truncated: true,
      links: { length: 2 },
    })
    expect(parseLinksetText(many, { url, maxLength: 15 })).toMatchObject({ truncated: true, valid: false })
    expect(parseLinksetText('', { url })).toMatchObject({ valid: true, links: [] })
  })
})
