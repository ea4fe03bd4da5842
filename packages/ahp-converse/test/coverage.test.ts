import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { loadRequirements, projectRoot, readCases } from '@internal/vectors'
import { describe, expect, it } from 'vitest'

/** Everything that was asked of a site is named by the title of a test, or it is said here why there can be none. */

const PACKAGES = ['ahp-converse', 'ahp-manifest']

/** What no test can show, and why. */
const UNTESTED: Readonly<Record<string, string>> = {
  R010: 'whether a page that a browser has taken over still shows the notice is up to the page',
  R031: 'any of three forms will do; that there is one is R030',
  R073: 'a site may use what an agent says it is, and need not',
  R124: 'whether a site documents its own types',
}

const titles = PACKAGES.flatMap((name) => testFiles(join(projectRoot, 'packages', name))).flatMap((path) =>
  titlesIn(readFileSync(path, 'utf8')),
)

function testFiles(folder: string): string[] {
  return ['src', 'test'].flatMap((part) =>
    readdirSync(join(folder, part), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.name.endsWith('.test.ts') && entry.name !== 'coverage.test.ts')
      .map((entry) => join(entry.parentPath, entry.name)),
  )
}

/** The first text after the bracket of a call that makes tests, or of a row that begins with what it is about. */
function titlesIn(source: string): string[] {
  const calls = source.matchAll(/(?:\b(?:it|test|describe|requirement)(?:\.\w+)*|\))\(\s*(['"`])(.*?)\1/gs)
  const rows = source.matchAll(/\[\s*(['"`])([A-Z]{1,2}-?\d+: .*?)\1/g)
  return [...calls, ...rows].map(([, , title = '']) => title)
}

function unnamed(ids: readonly string[]): string[] {
  const named = new Set(
    titles.flatMap((title) => title.match(/\b(?:R\d{3}|H\d{1,2}|[A-Z]{2}-\d{2})\b/g) ?? []),
  )
  return ids.filter((id) => !named.has(id))
}

describe('the title of a test names', () => {
  it('every requirement on a site', () => {
    const ids = loadRequirements('ahp/v0.1')
      .filter(({ id, subject }) => /^AHP01-R-\d+$/.test(id) && !['client', 'protocol'].includes(subject))
      .map(({ id }) => `R${id.slice(-3)}`)
    expect(ids.length).toBeGreaterThan(100)
    expect(unnamed(ids).filter((id) => !Object.hasOwn(UNTESTED, id))).toEqual([])
  })

  it('every hole that was found in another server', () => {
    expect(unnamed(Array.from({ length: 22 }, (_, index) => `H${index + 1}`))).toEqual([])
  })

  it.each(PACKAGES)('every fault that was reported against the like of %s', (name) => {
    expect(unnamed(readCases(name).map(({ id }) => id))).toEqual([])
  })

  it('nothing that is said to be untested', () => {
    const untested = Object.keys(UNTESTED)
    expect(unnamed(untested)).toEqual(untested)
  })
})
