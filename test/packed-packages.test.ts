import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { projectRoot, published, type WorkspacePackage } from './workspace-packages.js'

const run = promisify(execFile)
const pnpm = join(projectRoot, 'node_modules', 'pnpm', 'bin', 'pnpm.cjs')
const tsc = join(projectRoot, 'node_modules', 'typescript', 'bin', 'tsc')
const INSTALL_TIMEOUT_MS = 180_000

interface Packed extends WorkspacePackage {
  readonly tarball: string
  readonly files: readonly string[]
}

let project: string
let packed: readonly Packed[]

beforeAll(async () => {
  project = await mkdtemp(join(tmpdir(), 'packed-'))
  packed = await Promise.all(published.map(pack))
}, INSTALL_TIMEOUT_MS)

afterAll(async () => {
  await rm(project, { recursive: true, force: true })
})

async function pack(workspacePackage: WorkspacePackage): Promise<Packed> {
  const args = [pnpm, 'pack', '--json', '--pack-destination', project]
  const { stdout } = await run(process.execPath, args, { cwd: workspacePackage.path })
  const { filename: tarball } = JSON.parse(stdout) as { filename: string }
  // pnpm adds the project's licence without listing it.
  const listing = await run('tar', ['-tzf', tarball])
  const files = listing.stdout
    .trim()
    .split(/\r?\n/)
    .map((file) => file.replace(/^package\//, ''))
  return { ...workspacePackage, tarball, files }
}

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

  it(
    'install from npm into an empty project, import, and compile',
    { timeout: INSTALL_TIMEOUT_MS },
    async (context) => {
      // Entries that need an optional peer are imported too.
      const peers = packed.map(({ manifest }) => manifest.peerDependencies ?? {})
      const tarballs = packed.map(({ manifest, tarball }) => ({ [manifest.name]: `file:${tarball}` }))
      const dependencies = Object.assign({}, ...peers, ...tarballs) as Readonly<Record<string, string>>
      await writeFile(
        join(project, 'package.json'),
        JSON.stringify({ private: true, type: 'module', dependencies }),
      )
      const failure = await installFailure()
      if (failure !== undefined && /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ETIMEDOUT/.test(failure)) {
        context.skip('the npm registry is out of reach')
      }
      expect(failure).toBeUndefined()

      const entries = packed.flatMap(({ manifest }) => codeEntries(manifest.name, manifest.exports ?? {}))
      await writeFile(join(project, 'import-all.js'), importsOf(entries))
      const { stdout } = await run(process.execPath, ['import-all.js'], { cwd: project })
      expect(stdout.trim().split('\n')).toEqual(entries)

      await mkdir(join(project, 'node_modules', '@types'), { recursive: true })
      await symlink(
        join(projectRoot, 'node_modules', '@types', 'node'),
        join(project, 'node_modules', '@types', 'node'),
        'junction',
      )
      await writeFile(join(project, 'consumer.ts'), CONSUMER)
      await writeFile(join(project, 'tsconfig.json'), JSON.stringify(CONSUMER_CONFIG))
      await expect(run(process.execPath, [tsc, '-p', project])).resolves.toMatchObject({ stdout: '' })
    },
  )
})

async function installFailure(): Promise<string | undefined> {
  const options = { cwd: project, shell: process.platform === 'win32', env: environmentForNpm() }
  try {
    await run('npm', ['install', '--no-audit', '--no-fund', '--prefer-offline', '--ignore-scripts'], options)
    return undefined
  } catch (error) {
    return (error as { stderr: string }).stderr
  }
}

/** npm and pnpm hand their settings to what they start; a user's project has none of them. */
function environmentForNpm(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(npm|pnpm)_/i.test(name)))
}

function targetsOf(target: string | Readonly<Record<string, string>>): readonly string[] {
  return typeof target === 'string' ? [target] : Object.values(target)
}

/** Specifiers of the entries that are code. */
function codeEntries(
  name: string,
  exports: NonNullable<WorkspacePackage['manifest']['exports']>,
): readonly string[] {
  return Object.keys(exports)
    .filter((key) => !key.endsWith('.json'))
    .map((key) => name + key.slice(1))
}

function importsOf(specifiers: readonly string[]): string {
  return specifiers
    .map(
      (specifier) =>
        `if (Object.keys(await import('${specifier}')).length > 0) console.log('${specifier}')\n`,
    )
    .join('')
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
  },
  files: ['consumer.ts'],
}

/** A user's program that touches every package by its types. */
const CONSUMER = `
import { discoverAllEntities } from '@doorplate/aadp-client'
import { validateDocument, type ManifestV1, type ValidationIssue } from '@doorplate/aadp-schemas'
import { checksumOf } from '@doorplate/aadp-schemas/canonical-json'
import schema from '@doorplate/aadp-schemas/schemas/v1.0/manifest.schema.json' with { type: 'json' }
import { defineAADP, defineResource } from '@doorplate/aadp-server'
import { createSafeFetch } from '@doorplate/safe-fetch'

const id: string = schema.$id
const issues: readonly ValidationIssue[] = validateDocument({ version: '1.0', kind: 'manifest', data: { id } }).issues
const checksum: \`sha256:\${string}\` = checksumOf({ issues: issues.length })
const books = defineResource<{ slug: string }>({
  type: 'book',
  list: () => Promise.resolve({ items: [{ slug: checksum }], nextCursor: null }),
  get: ({ id }) => Promise.resolve({ slug: id }),
  serialize: ({ slug }) => ({ id: \`book:\${slug}\`, updatedAt: new Date(), data: { slug } }),
})
const server = defineAADP({
  baseUrl: 'https://books.test',
  application: { name: 'Books', description: 'Books.', publisher: { name: 'Press', url: 'https://books.test/' } },
  policies: { robots: 'https://books.test/robots.txt', terms: 'https://books.test/terms' },
  resources: [books],
})
const response: Response = await server.handleRequest(new Request('https://books.test/.well-known/ai-manifest.json'))
const manifest = (await response.json()) as ManifestV1
const guarded: typeof fetch = createSafeFetch({ dangerouslyAllow: ['127.0.0.1:4870'] })
for await (const entity of discoverAllEntities(manifest.application.publisher.url, { fetch: guarded })) {
  const known: string = entity.id
  console.log(known)
}
`
