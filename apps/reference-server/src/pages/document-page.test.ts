import { describe, expect, it } from 'vitest'
import { pageLink } from './document-page.js'

const pages = new Map([
  ['README.md', '/docs/guide/overview'],
  ['spec/README.md', '/docs/spec/overview'],
  ['spec/aadp/v1.0.md', '/docs/spec/aadp-v1-0'],
  ['packages/a/README.md', '/docs/package/a'],
])

describe('pageLink', () => {
  it.each([
    ['spec/README.md', './aadp/v1.0.md#rules', '/docs/spec/aadp-v1-0#rules'],
    ['spec/aadp/v1.0.md', '../../packages/a', '/docs/package/a'],
    ['spec/aadp/v1.0.md', '../../packages/a/', '/docs/package/a'],
    ['spec/aadp/v1.0.md', '../', '/docs/spec/overview'],
    ['README.md', 'LICENSE', '/license'],
    ['README.md', 'scripts/x.js', 'https://github.com/doorplate/doorplate/blob/main/scripts/x.js'],
    [
      'packages/a/README.md',
      'https://github.com/doorplate/doorplate/blob/main/spec/aadp/v1.0.md#rules',
      '/docs/spec/aadp-v1-0#rules',
    ],
    ['README.md', '#here', '#here'],
    ['README.md', 'https://a.test/b', 'https://a.test/b'],
    ['README.md', '../../etc/passwd', '#'],
  ])('in %s, %s becomes %s', (from, href, link) => {
    expect(pageLink(href, { from, pages })).toBe(link)
  })
})
