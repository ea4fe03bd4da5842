import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, posix } from 'node:path'
import process from 'node:process'
import { promisify } from 'node:util'
import ts from 'typescript'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bundlePrograms } from './bundle-programs.js'
import { compile, OLDEST_TYPESCRIPT } from './compile.js'
import { installPacked, isOffline } from './empty-project.js'
import { FOOTPRINTS, footprint } from './footprint.js'
import { packPackages, type Packed } from './pack-packages.js'
import { entriesOf, entriesWithoutProgram, writePrograms } from './smoke-programs.js'
import { projectRoot, published } from './workspace-packages.js'

const run = promisify(execFile)
const INSTALL_TIMEOUT_MS = 180_000

let folder: string
let packed: readonly Packed[]

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'packed-'))
  packed = await packPackages(published, folder)
}, INSTALL_TIMEOUT_MS)

afterAll(async () => {
  await rm(folder, { recursive: true, force: true })
})

describe('packed packages', () => {
  it('hold what runs, its types and its papers, and nothing else', () => {
    for (const { folder, files } of packed) {
      const missing = ['package.json', 'README.md', 'LICENSE'].filter((file) => !files.includes(file))
      expect(missing, folder).toEqual([])
      const others = files.filter(
        (file) => !/^(?:package\.json|README\.md|CHANGELOG\.md|LICENSE|docs\/[^/]+\.md|dist\/.+)$/.test(file),
      )
      expect(others, folder).toEqual([])
      const strays = files.filter((file) => /\.test\.|\.tsbuildinfo$|(?<!\.d)\.ts$/.test(file))
      expect(strays, folder).toEqual([])
    }
  })

  it('hold every file that they export or run', () => {
    for (const { folder, files, manifest } of packed) {
      const targets = [...Object.values(manifest.exports ?? {}), manifest.bin ?? {}].flatMap(targetsOf)
      expect(targets.length, folder).toBeGreaterThan(0)
      for (const target of targets) {
        const [start = '', end = ''] = target.replace('./', '').split('*')
        const isThere = files.some((file) => file.startsWith(start) && file.endsWith(end))
        expect(isThere, `${folder}: ${target}`).toBe(true)
      }
    }
  })

  it('hold every text that their texts lead to', async () => {
    for (const { folder, path, files } of packed) {
      for (const file of files.filter((file) => /^(?:README|docs\/.+)\.md$/.test(file)))
        expect(
          relativeLinks(await readFile(join(path, file), 'utf8'), file).filter(
            (target) => !files.includes(target),
          ),
          `${folder}: ${file}`,
        ).toEqual([])
    }
    expect(relativeLinks('[a](./b.md#c) [d](https://e.test/) [f](#g) [h](../../i.md)', 'docs/j.md')).toEqual([
      'docs/b.md',
      '../i.md',
    ])
  })

  it('are tried by their users, entry by entry', () => {
    expect(entriesWithoutProgram(published.flatMap(entriesOf))).toEqual([])
  })

  it(
    'install from npm into one empty project with every optional peer, import, and compile',
    { timeout: INSTALL_TIMEOUT_MS },
    async (context) => {
      const peers = Object.assign(
        {},
        ...packed.map(({ manifest }) => manifest.peerDependencies ?? {}),
      ) as Record<string, string>
      const project = join(folder, 'together')
      const failure = await installPacked(project, packed, peers)
      if (isOffline(failure)) context.skip('the npm registry is out of reach')
      expect(failure).toBeUndefined()

      const entries = packed.flatMap(entriesOf)
      await writePrograms(join(project, 'programs'), entries)
      const { stdout } = await run(process.execPath, ['programs/all.mjs'], { cwd: project })
      expect(stdout.trim().split('\n')).toEqual(entries.map(({ specifier }) => specifier))

      const sources = entries.map(({ name }) => join(project, 'programs', `${name}.ts`))
      const [nodeNext = {}] = RESOLUTIONS
      // Peers are written by others, and not all of theirs compiles without a browser's types.
      expect(compile(sources, { ...COMPILER_OPTIONS, ...nodeNext, skipLibCheck: true })).toEqual([])
    },
  )
})

// A few seconds for each, so only where it is asked for, which CI does.
describe.skipIf(process.env['TEST_ALONE'] !== '1')(
  'each alone in an empty project (needs TEST_ALONE=1)',
  () => {
    it.for(published)('$folder', { timeout: INSTALL_TIMEOUT_MS }, async (workspacePackage, context) => {
      const project = join(folder, 'alone', workspacePackage.folder)
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
        for (const compiler of [ts, OLDEST_TYPESCRIPT])
          expect(
            compile(sources, { ...COMPILER_OPTIONS, ...resolution }, compiler),
            `TypeScript ${compiler.version}`,
          ).toEqual([])

      await bundlePrograms(project)
      await rm(join(project, 'node_modules'), { recursive: true })
      expect(await printedBy(project, 'bundled/all.js'), 'bundled').toBe(works)
    })
  },
)

/** The files that a text of a package leads to, by their paths inside the package. */
function relativeLinks(markdown: string, file: string): readonly string[] {
  const links = markdown.matchAll(/\]\((?![a-z]+:|#)([^)\s#]+)/gi)
  return [...links].map(([, target = '']) => posix.join(posix.dirname(file), target))
}

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

function targetsOf(target: string | Readonly<Record<string, string>>): readonly string[] {
  return typeof target === 'string' ? [target] : Object.values(target)
}
