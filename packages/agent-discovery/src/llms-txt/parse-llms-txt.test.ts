import { describe, expect, it } from 'vitest'
import { coveringLlmsTxt, formatLlmsTxt, isErrorPage, parseLlmsTxt, type LlmsTxt } from '../llms-txt.js'

const parse = (text: string): LlmsTxt => parseLlmsTxt(text, { url: 'https://example.com/docs/llms.txt' })

describe('parseLlmsTxt', () => {
  it('keeps sections without links (LT-01)', () => {
    expect(parse('# T\n\n> s\n\n## Empty\n\n## Docs\n- [a](https://a.example/a): n\n')).toEqual({
      title: 'T',
      summary: 's',
      links: [],
      sections: [
        { name: 'Empty', optional: false, links: [] },
        { name: 'Docs', optional: false, links: [{ title: 'a', url: 'https://a.example/a', notes: 'n' }] },
      ],
      truncated: false,
    })
  })

  it('takes bare URLs as links and nothing inside fences (LT-04)', () => {
    const { links } = parse(
      '\ufeff\n# T\n- https://a.example/x\n```\n- [no](/no)\n## no\n```\n~~~\n```\n- [no](/no)\n~~~\n- see https://a.example/y\n* [y](z "title")',
    )
    expect(links).toEqual([
      { title: 'https://a.example/x', url: 'https://a.example/x' },
      { title: 'y', url: 'https://example.com/docs/z' },
    ])
  })

  it('reads addresses with parentheses and angle brackets, numbered items and notes after a dash', () => {
    expect(
      parse('# T\n- [W](https://w.example/X_(Y)) - note\n1. [B [c]](</a b> "t")\n2) [no](/x').links,
    ).toEqual([
      { title: 'W', url: 'https://w.example/X_(Y)', notes: 'note' },
      { title: 'B [c]', url: 'https://example.com/a%20b' },
    ])
  })

  it('takes a separator of Unicode for a space, as Markdown does', () => {
    expect(parse('# T\n- [a\u2028b](/x): n\u2029m').links).toEqual([
      { title: 'a b', url: 'https://example.com/x', notes: 'n m' },
    ])
  })

  it('marks the optional section', () => {
    expect(parse('# T\n## Optional\n').sections[0]?.optional).toBe(true)
  })

  it.each(['', 'no heading', '## Second level', '<!doctype html>', '#Title'])(
    'finds no title in %j',
    (text) => {
      expect(parse(text)).toEqual({ links: [], sections: [], truncated: false })
    },
  )

  it('reads notes behind bare URLs and images in labels (LT-04)', () => {
    const { links } = parse(
      '# T\n- https://a.example/x: n\n- <https://a.example/y> - m\n- https://a.example/z and w\n- [![i](i.png) a](/b)',
    )
    expect(links).toEqual([
      { title: 'https://a.example/x', url: 'https://a.example/x', notes: 'n' },
      { title: 'https://a.example/y', url: 'https://a.example/y', notes: 'm' },
      { title: '![i](i.png) a', url: 'https://example.com/b' },
    ])
  })

  it('keeps its limits', () => {
    expect(
      parseLlmsTxt(`# T\n${'- [a](/a)\n'.repeat(5)}`, { url: 'https://e.example/llms.txt', maxLinks: 3 }),
    ).toMatchObject({
      truncated: true,
      links: { length: 3 },
    })
    expect(parse(`# T\n- [${'['.repeat(50_000)}\n- [a](javascript:x)`).links).toEqual([])
  })

  it('reads back what formatLlmsTxt writes', () => {
    const text = formatLlmsTxt({
      title: 'Shop\n## not a section',
      summary: 'Books',
      sections: [
        { name: 'Docs', links: [{ title: 'A [b]', url: '/a(1) ä%20', notes: 'n' }] },
        { name: 'None', links: [] },
      ],
    })
    expect(parse(text)).toMatchObject({
      title: 'Shop ## not a section',
      summary: 'Books',
      sections: [
        { links: [{ title: 'A (b)', url: 'https://example.com/a%281%29%20%C3%A4%20', notes: 'n' }] },
        { links: [] },
      ],
    })
  })
})

describe('isErrorPage', () => {
  it.each([
    '# Page Not Found\n\nx',
    '# 404',
    '404: NOT FOUND',
    '# **Not found**',
    'Error 404',
    '## Access Denied',
    '# The page was not found',
    '# This page does not exist',
    '# 404 Not Found',
    '# 404 - nothing here',
    'HTTP Error 404',
    '# Error: Page not found',
    '# Sorry, page not found',
    '# Page couldn\u2019t be found',
    '# The page you requested could not be found',
    'The requested URL /x was not found on this server.',
    '# We couldn\u2019t find that page',
    '# Oops! Nothing here',
    '# Forbidden',
  ])('knows %j', (text) => {
    expect(isErrorPage(text)).toBe(true)
  })
  it.each([
    '# Handling 404 errors',
    '# Notes',
    '',
    '# Foundation',
    '# API\n\n# Not found',
    '# 4040 reasons',
    '# 404 Media',
    '# Forbidden City',
  ])('leaves %j alone', (text) => {
    expect(isErrorPage(text)).toBe(false)
  })
})

it('reads no line that was cut', () => {
  const { links, truncated } = parseLlmsTxt('# A\n\n- https://a.example/long', {
    url: 'https://a.example/llms.txt',
    maxLength: 26,
  })
  expect({ links, truncated }).toEqual({ links: [], truncated: true })
})

describe('coveringLlmsTxt', () => {
  it('prefers the nearest folder around the page', () => {
    const files = [
      'https://a.example/llms.txt',
      'https://a.example/docs/llms.txt',
      'https://b.example/docs/x/llms.txt',
    ]
    expect(coveringLlmsTxt('https://a.example/docs/x/y', files)).toBe(files[1])
    expect(coveringLlmsTxt('https://a.example/docsx', files)).toBe(files[0])
    expect(coveringLlmsTxt('https://c.example/', files)).toBeUndefined()
  })
})
