import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))
const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  exports: Readonly<Record<string, string | { readonly default: string }>>
}

/** Entries that run on every runtime with Fetch: nothing they load may be part of Node or reach the network. */
const PORTABLE = [
  './dns',
  './from-response',
  './link',
  './linkset',
  './llms-txt',
  './meta',
  './publish',
  './robots',
  './www-authenticate',
]

/** Every module that an entry of the built package loads, by the name it is imported under. */
function importsOf(file: string, seen = new Set<string>()): Set<string> {
  const external = new Set<string>()
  if (seen.has(file)) return external
  seen.add(file)
  for (const [, name = ''] of readFileSync(file, 'utf8').matchAll(
    /(?:^|[;\s])(?:import|export)\b[^'"]*?["']([^'"]+)["']/gm,
  )) {
    if (name.startsWith('.'))
      for (const found of importsOf(join(dirname(file), name), seen)) external.add(found)
    else external.add(name)
  }
  return external
}

describe.skipIf(!existsSync(join(root, 'dist')))('the built package', () => {
  it.each(PORTABLE)('%s needs no Node and no network', (name) => {
    const entry = exports[name]
    const external = importsOf(join(root, typeof entry === 'object' ? entry.default : ''))
    expect(
      [...external].filter((module) => module.startsWith('node:') || module === '@doorplate/safe-fetch'),
    ).toEqual([])
  })

  it('has its entries and no others', () => {
    expect(Object.keys(exports).sort()).toEqual([
      '.',
      './dns',
      './from-response',
      './link',
      './linkset',
      './llms-txt',
      './meta',
      './package.json',
      './probe',
      './publish',
      './readiness',
      './robots',
      './schemas/v1/*.json',
      './www-authenticate',
    ])
  })

  it('parses without Node: link and meta load only what they need', () => {
    const of = (name: string): string[] => [...importsOf(join(root, 'dist', `${name}.js`))].sort()
    expect(of('link')).toEqual([])
    expect(of('robots')).toEqual([])
    expect(of('www-authenticate')).toEqual([])
    expect(of('meta')).toEqual(['entities', 'htmlparser2'])
  })
})
