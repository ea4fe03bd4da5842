import { describe, expect, it } from 'vitest'
import { codesIn, tableRows } from '../scripts/markdown-tables.js'
import { packages } from '../scripts/project.js'
import { outsideOfCode, repositoryPage, rewriteLinks } from '../scripts/repository-page.js'
import { specPages } from '../scripts/spec-pages.js'

describe('tables', () => {
  it('are read by the names of their columns', () => {
    const [row] = tableRows('Text\n\n| `code` | when |\n| --- | ---: |\n| `a`, `b` | one \\| two |\n')
    expect([...(row ?? [])]).toEqual([
      ['`code`', '`a`, `b`'],
      ['when', 'one \\| two'],
    ])
    expect(codesIn('`a`, `b`')).toEqual(['a', 'b'])
  })
})

describe('a page made of a text of the repository', () => {
  it('leads to pages of the site, and else to the repository', () => {
    const { path, text } = repositoryPage('packages/aadp-conformance/README.md')
    expect(path).toBe('reference/packages/aadp-conformance.md')
    expect(text).toContain('](/reference/spec/aadp-1-0.md)')
    expect(text).toContain('](https://github.com/doorplate/doorplate/blob/main/.github/actions/')
  })

  it('is refused where a link leads nowhere', () => {
    expect(() => rewriteLinks('See [it](./nowhere.md).', 'spec/README.md')).toThrow(
      'there is no ./nowhere.md',
    )
  })

  it('keeps code as it is', () => {
    const shout = (text: string): string => text.toUpperCase()
    expect(outsideOfCode('a `b` c\n\n```js\nd\n```\n', shout)).toBe('A `b` C\n\n```js\nd\n```\n')
  })
})

it('every rule of the specifications is an anchor, and traceability leads there', () => {
  const pages = new Map(specPages().map(({ path, text }) => [path, text]))
  expect(pages.get('reference/spec/aadp-1-0.md')).toContain('<a id="AADP1-MAN-012" href="#AADP1-MAN-012">')
  expect(pages.get('reference/spec/traceability/ahp-0-1.md')).toContain(
    '[AHP01-R-001](/reference/spec/ahp-0-1.md#AHP01-R-001)',
  )
})

it('each specification has a page of traceability, and the sum of them leads there', () => {
  const pages = new Map(specPages().map(({ path, text }) => [path, text]))
  for (const page of ['aadp-1-0', 'aadp-0-1', 'ahp-0-1']) {
    expect(pages.get('reference/spec/traceability.md')).toContain(
      `](/reference/spec/traceability/${page}.md)`,
    )
    expect(pages.get(`reference/spec/traceability/${page}.md`)).toContain(`](/reference/spec/${page}.md)`)
  }
})

it('every package has entries with declarations', () => {
  expect(packages.length).toBeGreaterThan(9)
  for (const { folder, entries } of packages) {
    expect(entries[0]?.specifier).toBe(`@doorplate/${folder}`)
    for (const { types } of entries) expect(types).toMatch(/\.d\.ts$/)
  }
})
