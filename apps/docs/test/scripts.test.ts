import { describe, expect, it } from 'vitest'
import { codesIn, tableRows } from '../scripts/markdown-tables.js'
import { packages } from '../scripts/project.js'
import { shareOf } from '../scripts/error-codes.js'
import { benchmarkPages } from '../scripts/benchmark-pages.js'
import { errorPage } from '../scripts/error-page.js'
import { packagePages } from '../scripts/package-pages.js'
import { projectPages } from '../scripts/project-pages.js'
import { outsideOfCode, outsideOfFences, repositoryPage, rewriteLinks } from '../scripts/repository-page.js'
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
    expect(outsideOfFences('a `b` c\n\n```js\nd\n```\n', shout)).toBe('A `B` C\n\n```js\nd\n```\n')
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

describe('a row for several codes', () => {
  it.each([
    ['one; two', 0, 2, 'one'],
    ['one; two', 1, 2, 'two'],
    ['one; two; of both', 1, 2, 'two; of both'],
    ['of both', 1, 2, 'of both'],
    ['one; more of it', 0, 1, 'one; more of it'],
  ])('%j says of the code %i of %i: %j', (cell, index, count, share) => {
    expect(shareOf(cell, index, count)).toBe(share)
  })
})

it('each finding of a manifest has a row with its rule', () => {
  const one = packages.find(({ folder }) => folder === 'ahp-manifest')
  const { text } = errorPage([{ package: one!, codes: [] }])
  expect(text).toContain('id="ahp-manifest-modes_not_cumulative"')
  expect(text).toContain('](/reference/spec/ahp-0-1.md#AHP01-R-029)')
})

it('every benchmark that has results is listed with its question', () => {
  const [{ text } = { text: '' }] = benchmarkPages()
  const names = [...text.matchAll(/^### (\S+)$/gm)].map(([, name]) => name)
  expect(names.length).toBeGreaterThan(10)
  expect(names.filter((name) => !new RegExp(`^\\| \`${name}\` +\\|`, 'm').test(text))).toEqual([])
  expect(text.match(/less is better/gi)?.length).toBeGreaterThan(2 * names.length - 5)
})

it('packages that are not on npm are said not to be', () => {
  const { text = '' } = packagePages().find(({ path }) => path === 'reference/not-on-npm.txt') ?? {}
  expect(text.includes('No package is on npm yet')).toBe(packages.every(({ version }) => version === '0.0.0'))
})

it('the reference server is a page, which is found by what it is run with', () => {
  const { text = '' } = projectPages().find(({ path }) => path === 'reference/reference-server.md') ?? {}
  expect(text).toMatch(/^---\nsource: apps\/reference-server\/README\.md\nkeywords: \[docker, /)
})
