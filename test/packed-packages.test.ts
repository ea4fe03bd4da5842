import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { installPacked, isOffline, linkNodeTypes } from './empty-project.js'
import { packPackages, type Packed } from './pack-packages.js'
import { entriesOf, entriesWithoutProgram, writePrograms } from './smoke-programs.js'
import { projectRoot, published } from './workspace-packages.js'

const run = promisify(execFile)
const tsc = join(projectRoot, 'node_modules', 'typescript', 'bin', 'tsc')
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
        (file) => !/^(?:package\.json|README\.md|CHANGELOG\.md|LICENSE|dist\/.+)$/.test(file),
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

      await linkNodeTypes(project)
      await writeFile(join(project, 'tsconfig.json'), JSON.stringify(CONSUMER_CONFIG))
      await expect(run(process.execPath, [tsc, '-p', project])).resolves.toMatchObject({ stdout: '' })
    },
  )
})

function targetsOf(target: string | Readonly<Record<string, string>>): readonly string[] {
  return typeof target === 'string' ? [target] : Object.values(target)
}

const CONSUMER_CONFIG = {
  compilerOptions: {
    target: 'ES2022',
    lib: ['ES2023'],
    types: ['node'],
    module: 'NodeNext',
    strict: true,
    exactOptionalPropertyTypes: true,
    noEmit: true,
    resolveJsonModule: true,
    // Of what others wrote; our own declarations are checked in each package's project.
    skipLibCheck: true,
  },
  include: ['programs/*.ts'],
}
