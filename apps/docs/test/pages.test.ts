import { readdirSync, readFileSync } from 'node:fs'
import { join, sep } from 'node:path'
import { describe, expect, it, test } from 'vitest'
import { FOOTPRINTS } from '../../../test/footprint.js'

const SITE = join(import.meta.dirname, '../site')

/** The pages that are written by hand. */
const PAGES = readdirSync(SITE, { recursive: true, encoding: 'utf8' })
  .map((path) => path.split(sep).join('/'))
  .filter((path) => path.endsWith('.md') && !path.startsWith('reference/'))

it.each(PAGES)('%s has no code but that of tested files', (path) => {
  const text = readFileSync(join(SITE, path), 'utf8')
  expect(text).not.toMatch(/^```(js|ts|jsx|tsx|javascript|typescript|mjs)\b/m)
})

test('the comparison says of an installation what is tested of it', () => {
  const [packages, megabytes] = FOOTPRINTS['aadp-client'] ?? []
  expect(readFileSync(join(SITE, 'concepts/comparison.md'), 'utf8')).toContain(
    `at most ${megabytes} MB in ${packages} packages`,
  )
})

describe('the table of guides', () => {
  const table = readFileSync(join(SITE, 'guides/index.md'), 'utf8')
  const rows = table.split('\n').filter((line) => /^\| (\*\*|_)/.test(line))

  test('has each way of meeting a site', () => {
    expect(rows.map((row) => row.split('|')[1]?.replaceAll(/[*_]/g, '').trim())).toEqual([
      'find',
      'read',
      'ask',
      'carried by',
    ])
  })

  test('leads to a page from each of its places', () => {
    for (const row of rows)
      for (const cell of row.split('|').slice(2, 5)) {
        const [, page = ''] = /\]\(\.\/([\w-]+\.md)/.exec(cell) ?? []
        expect(PAGES).toContain(`guides/${page}`)
      }
  })

  test('leads to every guide', () => {
    const guides = PAGES.filter((path) => path.startsWith('guides/') && path !== 'guides/index.md')
    expect(guides.filter((path) => !table.includes(path.replace('guides/', './')))).toEqual([])
  })
})
