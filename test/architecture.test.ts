import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ESLint } from 'eslint'
import { describe, expect, it } from 'vitest'
import { PORTABLE_ENTRIES } from './portable-entries.js'
import { importCycle, otherThanExports, reachableFrom, sourceFiles } from './source-files.js'
import { packages, projectRoot, published } from './workspace-packages.js'

const SCOPE = '@doorplate/'

/** Which package may depend on which: one way, no cycles. */
const ALLOWED_EDGES: Readonly<Record<string, readonly string[]>> = {
  'safe-fetch': [],
  'aadp-schemas': [],
  'aadp-server': ['aadp-schemas'],
  'aadp-client': ['aadp-schemas', 'safe-fetch'],
  'ahp-manifest': [],
  'ahp-converse': ['ahp-manifest', 'safe-fetch'],
  'agent-discovery': ['aadp-schemas', 'ahp-manifest', 'conformance-kit', 'safe-fetch'],
  'conformance-kit': [],
  'aadp-conformance': ['aadp-client', 'aadp-schemas', 'conformance-kit', 'safe-fetch'],
  'ahp-conformance': ['ahp-manifest', 'conformance-kit', 'safe-fetch'],
}

/** What users can import: a new entry is a promise. */
const PUBLIC_ENTRIES: Readonly<Record<string, readonly string[]>> = {
  'safe-fetch': ['.', './package.json'],
  'aadp-schemas': [
    '.',
    './canonical-json',
    './schemas/v0.1/*.json',
    './schemas/v1.0/*.json',
    './package.json',
  ],
  'aadp-server': ['.', './node', './export', './package.json'],
  'aadp-client': ['.', './v0.1', './sqlite', './bullmq', './package.json'],
  'aadp-conformance': ['.', './package.json'],
  'ahp-conformance': ['.', './package.json'],
  'conformance-kit': ['.', './cli', './schemas/v2/*.json', './package.json'],
  'agent-discovery': [
    '.',
    './dns',
    './from-response',
    './link',
    './linkset',
    './llms-txt',
    './meta',
    './probe',
    './publish',
    './readiness',
    './robots',
    './www-authenticate',
    './schemas/v1/*.json',
    './package.json',
  ],
  'ahp-converse': [
    '.',
    './server',
    './node',
    './knowledge',
    './sqlite',
    './ai',
    './client',
    './tools',
    './mcp',
    './openapi',
    './redis',
    './bullmq',
    './desk',
    './jwt',
    './web-bot-auth',
    './package.json',
  ],
  'ahp-manifest': ['.', './messages', './page', './schemas/v0.1/*.json', './package.json'],
}

describe('packages', () => {
  it('are the ones of the design', () => {
    expect(packages.map(({ folder }) => folder).sort()).toEqual(Object.keys(ALLOWED_EDGES).sort())
  })

  it.each(packages)(
    '$folder is offered in the README exactly when it is published',
    ({ folder, manifest }) => {
      const readme = readFileSync(join(projectRoot, 'README.md'), 'utf8')
      const absent = /^Not there yet: (.*)\.$/m.exec(readme)?.[1]?.split(', ') ?? []
      expect(readme.includes(`(./packages/${folder}/README.md)`)).toBe(manifest.private !== true)
      expect(absent.includes(folder)).toBe(manifest.private === true)
    },
  )

  it.each(packages)(
    '$folder is named after its folder, and private exactly while it has no code',
    ({ folder, path, manifest }) => {
      expect(manifest.name).toBe(SCOPE + folder)
      expect(manifest.private === true).toBe(!existsSync(join(path, 'src', 'index.ts')))
      if (manifest.private === true) expect(manifest.exports).toBeUndefined()
    },
  )

  it.each(packages)('$folder depends only on what the design allows', ({ folder, path, manifest }) => {
    const declared = { ...manifest.dependencies, ...manifest.optionalDependencies }
    const siblings = Object.keys(declared).filter((name) => name.startsWith(SCOPE))
    const allowed = (ALLOWED_EDGES[folder] ?? []).map((name) => SCOPE + name)
    expect(allowed).toEqual(expect.arrayContaining(siblings))
    for (const name of siblings) expect(declared[name], name).toBe('workspace:^')
    expect(Object.keys(manifest.peerDependencies ?? {}).filter((name) => name.startsWith(SCOPE))).toEqual([])

    if (!existsSync(join(path, 'src'))) return
    const imported = sourceFiles(join(path, 'src')).flatMap(({ imports }) => imports)
    const imports = new Set(imported.filter((name) => name.startsWith(SCOPE)).map(packageOf))
    expect(siblings).toEqual(expect.arrayContaining([...imports]))
  })

  it.each(published)('$folder exports what is promised and nothing else', ({ folder, manifest }) => {
    expect(Object.keys(manifest.exports ?? {})).toEqual(PUBLIC_ENTRIES[folder])
  })

  it.each(published)('$folder is described for the registry', ({ folder, manifest }) => {
    expect(manifest).toMatchObject({
      type: 'module',
      sideEffects: false,
      license: 'MIT',
      engines: { node: '>=20.18.1' },
      publishConfig: { access: 'public' },
      repository: { directory: `packages/${folder}` },
    })
    expect(manifest['description']).toMatch(/^[A-Z].*\.$/)
    expect(manifest['keywords']).not.toEqual([])
  })
})

describe('sources', () => {
  it.each(published)('of $folder have no import cycle', ({ path }) => {
    expect(importCycle(join(path, 'src'))).toBeUndefined()
  })

  it.each(published)('of $folder re-export only, in index.ts', ({ path }) => {
    expect(otherThanExports(join(path, 'src', 'index.ts'))).toEqual([])
  })

  it.each(PORTABLE_ENTRIES)('behind %s/src/%s.ts need no Node built-in', (folder, entry) => {
    const sources = join(projectRoot, 'packages', folder, 'src')
    const reached = reachableFrom(join(sources, `${entry}.ts`), sources)
    expect(reached.length).toBeGreaterThan(1)
    const builtins = reached.flatMap(({ imports }) => imports).filter(isNodeBuiltin)
    expect(builtins).toEqual([])
  })

  it.each(published)('of $folder never call the global fetch', async ({ path }) => {
    const config = (await new ESLint({ cwd: projectRoot }).calculateConfigForFile(
      join(path, 'src', 'index.ts'),
    )) as {
      rules: Record<string, readonly unknown[]>
    }
    expect(config.rules['no-restricted-globals']).toContainEqual(expect.objectContaining({ name: 'fetch' }))
    for (const { path: file, text } of sourceFiles(join(path, 'src'))) {
      expect(text, file).not.toMatch(/(?<!typeof )\b(?:globalThis|self|window|global)\s*\.\s*fetch\b/)
    }
  })

  it('would be caught in a cycle', () => {
    const folder = mkdtempSync(join(tmpdir(), 'cycle-'))
    try {
      writeFileSync(join(folder, 'a.ts'), "import { b } from './b.js'\n")
      writeFileSync(join(folder, 'b.ts'), "export type { C } from './c.js'\n")
      writeFileSync(join(folder, 'c.ts'), "import type { A } from './a.js'\n")
      expect(importCycle(folder)).toEqual(['a.ts', 'b.ts', 'c.ts', 'a.ts'])
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
})

function packageOf(specifier: string): string {
  return specifier.split('/').slice(0, 2).join('/')
}

function isNodeBuiltin(specifier: string): boolean {
  return specifier.startsWith('node:') || builtinModules.includes(specifier)
}
