import fc from 'fast-check'
import LinkHeaderLibrary from 'http-link-header'
import { describe, expect, it } from 'vitest'
import { formatLinkHeader, parseLinkHeader, type LinkHeader } from '../link.js'

const url = 'https://example.com/a/b?x=1'
const parse = (field: string | string[]): LinkHeader => parseLinkHeader(field, { url })
const relsOf = (field: string | string[]): (readonly string[])[] => parse(field).links.map(({ rels }) => rels)

describe('parseLinkHeader', () => {
  it('keeps the link after a parameter without value (case 01, LH-06)', () => {
    const field =
      '<https://cdn.example.com>; rel="preconnect", <https://fonts.example.com>; rel="preconnect"; crossorigin, <www.tags.example.com>; rel="dns-prefetch", </.well-known/api-catalog>; rel="api-catalog"'
    const { links } = parseLinkHeader(field, { url: 'https://example.com/blog/post' })
    expect(links.map((link) => link.url)).toEqual([
      'https://cdn.example.com/',
      'https://fonts.example.com/',
      'https://example.com/blog/www.tags.example.com',
      'https://example.com/.well-known/api-catalog',
    ])
    expect(parse('</m>; crossorigin; rel="ahp-manifest"').links[0]).toMatchObject({
      rels: ['ahp-manifest'],
      parameters: [
        { name: 'crossorigin', value: '' },
        { name: 'rel', value: 'ahp-manifest' },
      ],
    })
  })

  it('takes commas and semicolons inside targets and quoted strings as data (case 02, LH-03, LH-17)', () => {
    expect(relsOf('</a.js>; rel=preload; as="<,</evil>;rel=ahp-manifest,>"')).toEqual([['preload']])
    const [link] = parse(
      '</pages=2,3>; rel="ahp-manifest"; type="application/agent+json"; type="text/html"',
    ).links
    expect(link).toMatchObject({ url: 'https://example.com/pages=2,3', type: 'application/agent+json' })
    expect(link?.warnings).toEqual(['repeated-parameter'])
  })

  it('prefers a title* that can be decoded (case 03)', () => {
    const [link] = parse(
      `</llms.txt>; rel="describedby alternate"; title="plain"; title*=UTF-8'de'n%c3%a4chstes%20Kapitel; type="text/markdown"`,
    ).links
    expect(link).toMatchObject({
      rels: ['describedby', 'alternate'],
      title: 'nächstes Kapitel',
      titleLanguage: 'de',
      type: 'text/markdown',
    })
    for (const bad of ["UTF-8''%", "UTF-8''%ff", "utf-9''x", 'x', "a'b'c'd", "''"]) {
      const [fallback] = parse(`</x>; rel=x; title="plain"; title*=${bad}`).links
      expect(fallback).toMatchObject({ title: 'plain', warnings: ['undecodable-title'] })
    }
    expect(parse("</x>; rel=x; title*=iso-8859-1'en'%A3%20rates").links[0]?.title).toBe('£ rates')
  })

  it('reads anchors as the context and flags foreign ones (case 04)', () => {
    const { links } = parseLinkHeader(
      [
        '</card.json>; rel="mcp-server-card"; anchor="/mcp"',
        '<https://other.example/api.json>; rel="service-desc"; anchor="https://other.example/"',
      ],
      { url: 'https://example.com/' },
    )
    expect(links).toMatchObject([
      { context: 'https://example.com/mcp', foreignContext: false },
      { context: 'https://other.example/', foreignContext: true },
    ])
  })

  it('compares relation types and parameter names without case and uses the first of each (case 06, LH-09, LH-12)', () => {
    const header = parse([
      '<../openapi.json>; REL=Service-Desc',
      '<>; rel="api-catalog"',
      '</x>; rel=next; rel=service-desc',
      '</no-rel.json>; type="application/json"',
      '</o>; rel="http://www.iana.org/assignments/relation/OAuth-protected-resource"',
    ])
    expect(header.links.map((link) => [link.url, ...link.rels])).toEqual([
      ['https://example.com/openapi.json', 'service-desc'],
      ['https://example.com/a/b?x=1', 'api-catalog'],
      ['https://example.com/x', 'next'],
      ['https://example.com/o', 'oauth-protected-resource'],
    ])
    expect(header.dropped).toEqual([{ text: '/no-rel.json', reason: 'no-rel' }])
    expect(relsOf('</m>; rel="x"; rel="ahp-manifest"')).toEqual([['x']])
    expect(relsOf('</m>; REL="AHP-Manifest"')).toEqual([['ahp-manifest']])
    const registry = 'https://www.iana.org/assignments/link-relations'
    for (const uri of [`${registry}#next`, `${registry}/next`, `${registry}/link-relations.xhtml#next`])
      expect(relsOf(`</m>; rel="${uri}"`)).toEqual([['next']])
  })

  it('reads a field that is folded over lines', () => {
    expect(relsOf('</m>;\r\n rel=next;\r\n\ttype=x,\r\n </n>; rel=prev')).toEqual([['next'], ['prev']])
  })

  it('splits rel at any white space (LH-04)', () => {
    expect(relsOf('</m>; rel="describedby ahp-manifest"')).toEqual([['describedby', 'ahp-manifest']])
    expect(relsOf('</m>; rel="a  b\tA"')).toEqual([['a', 'b']])
  })

  it('reads escapes and survives a missing end quote (LH-07)', () => {
    expect(parse('</m>; title="a\\"b;,c"; rel="ahp-manifest"').links[0]).toMatchObject({ title: 'a"b;,c' })
    expect(parse('</m>; rel="ahp-manifest').links[0]).toMatchObject({
      rels: ['ahp-manifest'],
      warnings: ['unterminated-quote'],
    })
  })

  it('tolerates a URL as unquoted rel and reads the next link (LH-10)', () => {
    expect(relsOf('</m>; rel=https://r.example/X, </n>; rel=next')).toEqual([
      ['https://r.example/x'],
      ['next'],
    ])
  })

  it('keeps several links of one relation in order (LH-11)', () => {
    expect(parse('</a>; rel=ahp-manifest, </b>; rel=ahp-manifest').links.map(({ target }) => target)).toEqual(
      ['/a', '/b'],
    )
  })

  it.each([
    '</m>;rel="ahp-manifest";;as="x"',
    '</m>;;rel=ahp-manifest;',
    '</m>;=x;rel=ahp-manifest',
    ', ,\t</m> ; rel = ahp-manifest ,',
    '</m>;rel="ahp-manifest" junk',
    'junk, </m>; rel="ahp-manifest"',
    '"a, <b>; rel=x", </m>; rel="ahp-manifest"',
    '</lost; rel=x, </m>; rel="ahp-manifest"',
  ])('finds the link in %s (LH-16)', (field) => {
    expect(parse(field).links.map((link) => [link.target, ...link.rels])).toEqual([['/m', 'ahp-manifest']])
  })

  it.each([
    ['<mailto:a@b.c>; rel=x', 'not-http'],
    ['<javascript:alert(1)>; rel=x', 'not-http'],
    ['<https://u:p@example.com/>; rel=x', 'userinfo'],
    ['<http://[>; rel=x', 'invalid-url'],
    ['</x>; rel=x; anchor="http://["', 'invalid-anchor'],
    [`</${'x'.repeat(5000)}>; rel=x`, 'url-too-long'],
    ['no link', 'malformed'],
    ['</x>; rel=" "', 'no-rel'],
  ])('drops %.40s with the reason %s', (field, reason) => {
    expect(parse(field)).toMatchObject({ links: [], dropped: [{ reason }] })
  })

  it('keeps names such as __proto__ as names', () => {
    const [link] = parse('</x>; __proto__="y"; rel="__proto__ constructor"').links
    expect(link?.rels).toEqual(['__proto__', 'constructor'])
    expect(link?.parameters[0]).toEqual({ name: '__proto__', value: 'y' })
  })

  it('shows no control or direction characters in titles', () => {
    expect(parse('</x>; rel=x; title="a\u202eb\u0007c\u200bd"').links[0]?.title).toBe('abcd')
  })

  it('stops at its limits and says so', () => {
    const many = Array.from({ length: 201 }, (_, index) => `</${index}>; rel=x`).join(',')
    expect(parse(many)).toMatchObject({ truncated: true })
    expect(parse(many).links).toHaveLength(200)
    const cut = parseLinkHeader('</a>; rel=x, </b>; rel=y; anchor="https://z.example"', {
      url,
      maxLength: 30,
    })
    expect(cut).toMatchObject({ truncated: true, dropped: [{ text: '/b', reason: 'cut-off' }] })
    expect(cut.links.map(({ target }) => target)).toEqual(['/a'])
    expect(() => parseLinkHeader('', { url, maxLinks: 0 })).toThrow(
      expect.objectContaining({ option: 'maxLinks' }),
    )
    expect(() => parseLinkHeader('', { url: 'data:x' })).toThrow(
      expect.objectContaining({ code: 'invalid_url' }),
    )
  })

  it('never throws, whatever the field', () => {
    const piece = fc.constantFrom(
      '<',
      '>',
      ';',
      ',',
      '"',
      '\\',
      '=',
      ' ',
      '\t',
      'rel',
      'x',
      'title*',
      "UTF-8''%",
      '/m',
      'é',
      '\ud800',
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
        const { links } = parse(pieces.join(''))
        for (const link of links) expect(link.rels.length).toBeGreaterThan(0)
      }),
      { numRuns: 2000 },
    )
  })
})

describe('formatLinkHeader', () => {
  const text = fc.string({ maxLength: 20 }).map((value) => value.replace(/[\p{C}\s]+/gu, '_'))
  const link = fc.record(
    {
      target: fc.webUrl({ withFragments: true, withQueryParameters: true }),
      rels: fc.array(fc.constantFrom('api-catalog', 'alternate', 'https://x.example/r'), {
        minLength: 1,
        maxLength: 2,
      }),
      title: text.filter((value) => value !== ''),
      type: fc.constantFrom('text/markdown', 'application/json'),
    },
    { requiredKeys: ['target', 'rels'] },
  )

  it('is read back by the parser', () => {
    fc.assert(
      fc.property(fc.array(link, { maxLength: 5 }), (links) => {
        const { links: read, dropped } = parse(formatLinkHeader(links))
        expect(dropped).toEqual([])
        expect(read).toEqual(
          links.map(({ target, rels, title, type }): unknown =>
            expect.objectContaining({
              url: new URL(target).href,
              rels: [...new Set(rels)],
              ...(title && { title }),
              ...(type && { type }),
            }),
          ),
        )
      }),
    )
  })

  it('writes only what a header can carry', () => {
    expect(formatLinkHeader([{ target: '/ä ><%41', rels: ['x'], title: 'é"' }])).toBe(
      `</%C3%A4%20%3E%3C%41>; rel="x"; title*=UTF-8''%C3%A9%22`,
    )
    const unwritable = expect.objectContaining({ code: 'invalid_option' }) as Error
    expect(() => formatLinkHeader([{ target: '/\r\nX: y', rels: ['x'] }])).toThrow(unwritable)
    expect(() => formatLinkHeader([{ target: '/', rels: ['a b'] }])).toThrow(unwritable)
    expect(() => formatLinkHeader([{ target: '/', rels: [] }])).toThrow(unwritable)
    expect(() => formatLinkHeader([{ target: '/', rels: ['x'], type: 'a\nb' }])).toThrow(unwritable)
  })
})

describe('beside http-link-header 1.1.4', () => {
  const token = fc.constantFrom('alternate', 'next', 'api-catalog')
  const wellFormed = fc
    .record({
      path: fc.constantFrom('/a', '/b?c=d,e', '/f;g'),
      rel: token,
      title: fc.constantFrom('x', 'a, b; c', 'q\\"r'),
    })
    .map(({ path, rel, title }) => `<${path}>; rel="${rel}"; title="${title}"`)

  it('finds the same in well-formed fields', () => {
    fc.assert(
      fc.property(fc.array(wellFormed, { minLength: 1, maxLength: 5 }), (values) => {
        const field = values.join(', ')
        const theirs = LinkHeaderLibrary.parse(field).refs.map(({ uri, rel }) => [uri, rel])
        expect(parse(field).links.map(({ target, rels }) => [target, ...rels])).toEqual(theirs)
      }),
    )
  })

  // Where the two differ on purpose; the reason follows each.
  it.each([
    ['leading comma', ', <a>; rel=x', 'the list rule of RFC 9110 allows empty items'],
    ['garbage before a link', 'zzz, <a>; rel=x', 'one bad item must not cost the good ones'],
    ['bad percent sign in title*', "<a>; rel=x; title*=UTF-8''%zz", 'a title is no reason to lose a link'],
  ])('differs on a %s', (_name, field, _reason) => {
    expect(() => LinkHeaderLibrary.parse(field)).toThrow()
    expect(relsOf(field)).toEqual([['x']])
  })
})
