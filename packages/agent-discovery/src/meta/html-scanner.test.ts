import { describe, expect, it } from 'vitest'
import { HtmlScanner, scanHtml, sniffCharset, type ScannedHtml } from '../meta.js'

const url = 'https://example.com/app/index.html'
const scan = (html: string): ScannedHtml => scanHtml(html, { url })
const urls = (html: string): string[] => scan(html).links.map((link) => link.url)

describe('HtmlScanner', () => {
  it('reads unquoted attributes in any order and case (HD-01, HD-05)', () => {
    expect(urls('<LINK href=/m rel=ahp-manifest>')).toEqual(['https://example.com/m'])
    expect(urls('<link rel=ahp-manifest href=/m?a=b&amp;c=d>')).toEqual(['https://example.com/m?a=b&c=d'])
  })

  it('takes an empty href for no link, as the standard does', () => {
    expect(urls('<link rel=ard href=""><link rel=ard href=" "><link rel=ard>')).toEqual([])
  })

  it('compares whole relation tokens (HD-02)', () => {
    expect(urls('<link rel="alternate ahp-manifest" href="/m">')).toEqual(['https://example.com/m'])
    expect(urls('<link rel="not-ahp-manifest" href="/m"><link rel="ahp-manifest-x" href="/m">')).toEqual([])
  })

  it('resolves against the final URL (HD-07)', () => {
    expect(
      scanHtml('<link rel="ahp-manifest" href="m">', { url: 'https://example.com/y/' }).links[0]?.url,
    ).toBe('https://example.com/y/m')
  })

  it('leaves translations, feeds and stylesheets alone (case 07)', () => {
    const { links, ignoredLinks } = scan(
      '<link rel="alternate" hreflang="en" href="/en/"><link rel="alternate" type="application/rss+xml" href="/feed.xml">' +
        '<link rel="alternate stylesheet" href="/dark.css"><link rel=icon href=/i><link rel="alternate" type="text/markdown" href="./index.md">' +
        '<link rel="describedby" href="/llms.txt">',
    )
    expect(links.map((link) => link.url)).toEqual([
      'https://example.com/app/index.md',
      'https://example.com/llms.txt',
    ])
    expect(ignoredLinks).toBe(4)
  })

  it('applies the first base of the document, also to links before it (case 08)', () => {
    const { links, baseUrl } = scan(
      '<head><link rel="service-desc" href="spec.json"><base href="https://static.example.com/v2/"><base href="https://second.example.com/"><link rel="ard" href="ard.json"></head>',
    )
    expect(baseUrl).toBe('https://static.example.com/v2/')
    expect(links.map((link) => link.url)).toEqual([
      'https://static.example.com/v2/spec.json',
      'https://static.example.com/v2/ard.json',
    ])
    expect(scan('<base href="data:x"><link rel=ard href=a>').links[0]?.url).toBe('https://example.com/app/a')
  })

  it.each([
    ['a script with a bare <', '<script>if (a<b) x("<link>")</script><link rel=ard href=/a>', ['/a']],
    ['comments', '<!-- <link rel=ard href=/x><link rel=ard href=/y> --><link rel=ard href=/a>', ['/a']],
    ['templates', '<template><link rel=ard href=/x></template><link rel=ard href=/a>', ['/a']],
    ['spaces round =', '<link rel = "ard" href= "/a">', ['/a']],
    ['data attributes', '<link data-rel="ard" data-href="/x" rel="ard" href="/a">', ['/a']],
    ['> in a quoted value', '<link title="a > b" rel="ard" href="/a">', ['/a']],
    ['noscript', '<noscript><link rel=ard href=/a></noscript>', ['/a']],
    ['a repeated attribute', '<link rel=ard href=/a href=/b rel=icon>', ['/a']],
    [
      'textarea, title and style',
      '<title><link rel=ard href=/x></title><style><link rel=ard href=/x></style><textarea><link rel=ard href=/x></textarea><link rel=ard href=/a>',
      ['/a'],
    ],
    [
      'iframe',
      '<iframe srcdoc="<link rel=ard href=/x>"><link rel=ard href=/x></iframe><link rel=ard href=/a>',
      ['/a'],
    ],
    ['SVG', '<svg><link rel=ard href=/x></svg><link rel=ard href=/a>', ['/a']],
    ['a tag cut off by the end', '<link rel=ard href=/a><link rel=ard href=/b', ['/a']],
  ])('reads past %s', (_name, html, expected) => {
    expect(urls(html)).toEqual(expected.map((path) => `https://example.com${path}`))
  })

  it('says where a link stands', () => {
    expect(
      scan(
        '<head><link rel=ard href=/a><noscript><link rel=ard href=/b></noscript></head><body><link rel=ard href=/c>',
      ).links,
    ).toMatchObject([
      { location: 'head', inNoscript: false },
      { location: 'head', inNoscript: true },
      { location: 'body', inNoscript: false },
    ])
    expect(scan('Hello <link rel=ard href=/a>').links[0]?.location).toBe('body')
  })

  it('reads metas by name, also with relative content', () => {
    expect(
      scan('<meta name=" LLMS " content=" llms.txt "><meta name=description content=x><meta name=mcp>').metas,
    ).toEqual([{ name: 'llms', content: 'llms.txt', url: 'https://example.com/app/llms.txt' }])
  })

  it('finds AHP notices, their first link and their text as data', () => {
    const { notices } = scan(
      '<section class="x ahp-notice"><p>Agents: <b>read</b>\u202e this &amp; that</p><section>in</section><a href="/m">m</a><a href="/n">n</a></section>' +
        '<div aria-label="AI Agent Notice">two</div><section class="ahp-notice-x">no</section>',
    )
    expect(notices).toEqual([
      { url: 'https://example.com/m', text: 'Agents: read this & thatinmn' },
      { text: 'two' },
    ])
  })

  it('finds forms that are tools, in the current and the older spelling', () => {
    expect(
      scan(
        '<form toolname="book" tooldescription="Books a table" toolautosubmit></form><form tool-name="old"></form><form></form>',
      ).forms,
    ).toEqual([
      { name: 'book', description: 'Books a table', autoSubmit: true },
      { name: 'old', autoSubmit: false },
    ])
  })

  it('drops targets that cannot be followed, with the reason', () => {
    expect(
      scan('<link rel=ard href="javascript:x"><link rel=ard href="https://a:b@c.example/">').dropped,
    ).toEqual([
      { text: 'javascript:x', reason: 'not-http' },
      { text: 'https://a:b@c.example/', reason: 'userinfo' },
    ])
  })

  it('keeps its limits', () => {
    const many = scan('<link rel=ard href=/a>'.repeat(600))
    expect(many.links).toHaveLength(500)
    expect(many.truncated).toBe(true)
    const short = scanHtml('x'.repeat(50) + '<link rel=ard href=/a>', { url, maxLength: 50 })
    expect(short).toMatchObject({ links: [], truncated: true })
    expect(() => scanHtml('', { url, maxLength: 1.5 })).toThrow(
      expect.objectContaining({ code: 'invalid_option' }),
    )
  })

  it('cuts off megabyte attributes, names and notices', () => {
    const long = 'x'.repeat(1_000_000)
    const { links, notices, title } = scan(
      `<title>${long}</title><${long} ${long}="${long}"><link rel=ard title="${long}" href=/a><link rel=ard href="/${long}"><section class=ahp-notice>${long}`,
    )
    expect(links.map((link) => link.url)).toEqual(['https://example.com/a'])
    expect(links[0]?.title).toHaveLength(200)
    expect(title).toHaveLength(200)
    expect(notices[0]?.text).toHaveLength(500)
  })

  it('keeps nothing of what it has read past', () => {
    const scanner = new HtmlScanner({ url, maxLength: 1e9 })
    const chunk = `<div class="a"><p>${'text '.repeat(10_000)}</p></div>`
    for (let index = 0; index < 200; index++) scanner.write(chunk)
    const kept = JSON.stringify(scanner.end())
    expect(kept.length).toBeLessThan(500)
  })
})

describe('sniffCharset', () => {
  const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)
  it.each([
    [Uint8Array.of(0xef, 0xbb, 0xbf), 'text/html; charset=iso-8859-1', 'utf-8'],
    [Uint8Array.of(0xff, 0xfe), null, 'utf-16le'],
    [bytes('<meta charset="shift_jis">'), 'text/html; charset="ISO-8859-1"', 'windows-1252'],
    [
      bytes('<!-- x --><meta http-equiv=Content-Type content="text/html; charset = euc-jp">'),
      'text/html',
      'euc-jp',
    ],
    [bytes('<meta charset=utf-16>'), null, 'utf-8'],
    [bytes('<!-- <meta charset=euc-jp> --><meta charset=shift_jis>'), null, 'shift_jis'],
    [bytes('<!--><meta charset=shift_jis>-->'), null, 'shift_jis'],
    [bytes('<!-- <meta charset=euc-jp>'), null, 'utf-8'],
    [bytes('<meta name=description content="charset=euc-jp"><meta charset=shift_jis>'), null, 'shift_jis'],
    [bytes('<meta data-charset=euc-jp>'), null, 'utf-8'],
    [bytes('<META CONTENT=\'text/html; charset="euc-jp"\' HTTP-EQUIV=content-type>'), null, 'euc-jp'],
    [bytes('<meta charset=nonsense><meta charset=euc-jp>'), null, 'euc-jp'],
    [bytes('<meta/charset=euc-jp/>'), null, 'utf-8'],
    [bytes('<meta charset=nonsense>'), 'text/html; charset=bogus', 'utf-8'],
    [bytes(' '.repeat(1024) + '<meta charset=euc-jp>'), null, 'utf-8'],
  ])('decides by mark, header, meta and default (%#)', (start, contentType, expected) => {
    expect(sniffCharset(start, contentType)).toBe(expected)
  })
})
