import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { promisify } from 'node:util'
import { build } from 'esbuild'
import ts from 'typescript'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { compile } from './compile.js'
import { installPacked, isOffline } from './empty-project.js'
import { packPackages, type Packed } from './pack-packages.js'
import { entriesOf, writePrograms } from './smoke-programs.js'
import { projectRoot, published } from './workspace-packages.js'

/**
 * Each package by itself in an empty project, as its README says to install it: a few seconds for each, so only with
 * `TEST_ALONE=1`, which CI sets.
 */

const run = promisify(execFile)
const TIMEOUT_MS = 180_000

/** Most that an installation may bring: packages, itself included, and megabytes on disk. */
const FOOTPRINTS: Readonly<Record<string, readonly [packages: number, megabytes: number]>> = {
  'aadp-client': [9, 3.5],
  'aadp-conformance': [12, 4],
  'aadp-schemas': [3, 0.3],
  'aadp-server': [3, 1],
  'agent-discovery': [15, 5.5],
  'ahp-conformance': [16, 6],
  'ahp-converse': [75, 18],
  'ahp-manifest': [1, 0.4],
  'conformance-kit': [2, 0.2],
  'safe-fetch': [2, 2.1],
}

let folder: string
let packed: readonly Packed[]

beforeAll(async () => {
  if (!isWanted) return
  folder = await mkdtemp(join(tmpdir(), 'alone-'))
  packed = await packPackages(published, folder)
}, TIMEOUT_MS)

afterAll(() => (isWanted ? rm(folder, { recursive: true, force: true }) : undefined))

const isWanted = process.env['TEST_ALONE'] === '1'

describe.skipIf(!isWanted)('alone in an empty project (needs TEST_ALONE=1)', () => {
  it.for(published)('$folder', { timeout: TIMEOUT_MS }, async (workspacePackage, context) => {
    const project = join(folder, workspacePackage.folder)
    const failure = await installPacked(project, packedFor(workspacePackage.folder))
    if (isOffline(failure)) context.skip('the npm registry is out of reach')
    expect(failure).toBeUndefined()

    const [mostPackages, mostMegabytes] = FOOTPRINTS[workspacePackage.folder] ?? [0, 0]
    const { packages, megabytes } = await footprint(join(project, 'node_modules'))

    expect(packages).toBeLessThanOrEqual(mostPackages)
    expect(megabytes).toBeLessThanOrEqual(mostMegabytes)

    const all = entriesOf(workspacePackage)
    const entries = all.filter(({ needsPeer }) => !needsPeer)
    const works = entries.map(({ specifier }) => `${specifier}\n`).join('')
    await writePrograms(join(project, 'programs'), entries)
    expect(await printedBy(project, 'programs/all.mjs'), 'import').toBe(works)
    if (canRequireModules) expect(await printedBy(project, 'programs/all.cjs'), 'require').toBe(works)

    for (const { specifier } of all.filter(({ needsPeer }) => needsPeer)) {
      const args = ['--input-type=module', '--eval', `await import('${specifier}')`]
      await expect(run(process.execPath, args, { cwd: project }), specifier).rejects.toThrow(
        'ERR_MODULE_NOT_FOUND',
      )
    }

    const sources = entries.map(({ name }) => join(project, 'programs', `${name}.ts`))
    for (const resolution of RESOLUTIONS)
      expect(compile(sources, { ...COMPILER_OPTIONS, ...resolution })).toEqual([])

    await bundle(project)
    await rm(join(project, 'node_modules'), { recursive: true })
    expect(await printedBy(project, 'bundled/all.js'), 'bundled').toBe(works)
  })
})

/** A package and those of ours that it depends on. */
function packedFor(folder: string): readonly Packed[] {
  const wanted = new Set<string>()
  const waiting = [`@doorplate/${folder}`]
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    wanted.add(name)
    const { dependencies = {} } = packed.find(({ manifest }) => manifest.name === name)?.manifest ?? {}
    waiting.push(...Object.keys(dependencies).filter((other) => other.startsWith('@doorplate/')))
  }
  return packed.filter(({ manifest }) => wanted.has(manifest.name))
}

/** What a folder of packages holds: how many, and how much by the size of their files. */
async function footprint(modules: string): Promise<{ packages: number; megabytes: number }> {
  const entries = await readdir(modules, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile()).map((file) => join(file.parentPath, file.name))
  const sizes = await Promise.all(files.map(async (file) => (await stat(file)).size))
  const lock = JSON.parse(await readFile(join(modules, '.package-lock.json'), 'utf8')) as { packages: object }
  return {
    packages: Object.keys(lock.packages).length,
    megabytes: sizes.reduce((sum, size) => sum + size, 0) / 1e6,
  }
}

async function printedBy(project: string, program: string): Promise<string> {
  return (await run(process.execPath, [program], { cwd: project })).stdout
}

const canRequireModules = (process.features as { require_module?: boolean }).require_module === true

const COMPILER_OPTIONS: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2022,
  lib: ['lib.es2023.d.ts'],
  types: ['node'],
  typeRoots: [join(projectRoot, 'node_modules', '@types')],
  noEmit: true,
  strict: true,
  exactOptionalPropertyTypes: true,
}

/** The two ways in which TypeScript finds packages that have `exports`. */
const RESOLUTIONS: readonly ts.CompilerOptions[] = [
  { module: ts.ModuleKind.NodeNext, moduleResolution: ts.ModuleResolutionKind.NodeNext },
  { module: ts.ModuleKind.ESNext, moduleResolution: ts.ModuleResolutionKind.Bundler },
]

async function bundle(project: string): Promise<void> {
  await build({
    absWorkingDir: project,
    entryPoints: ['programs/all.mjs'],
    outdir: 'bundled',
    bundle: true,
    minify: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    // What a library written as CommonJS requires of Node.
    banner: {
      js: "import { createRequire as from } from 'node:module'; const require = from(import.meta.url)",
    },
  })
}
