import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { freePort } from '@internal/loopback'
import { build, type BuildOptions } from 'esbuild'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { runCommand } from '../src/cli/run-command.js'
import { FRAMEWORKS } from '../src/cli/scaffold-templates.js'

const PACKAGE = fileURLToPath(new URL('../', import.meta.url))
const TSC = fileURLToPath(new URL('../node_modules/typescript/bin/tsc', import.meta.url))

let root = ''

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'aadp-cli-'))
})

afterEach(() => rm(root, { recursive: true, force: true }))

async function aadp(...argv: string[]): Promise<{ exitCode: number; out: string; err: string }> {
  let [out, err] = ['', '']
  const exitCode = await runCommand(argv, root, {
    print: (line) => (out += `${line}\n`),
    complain: (line) => (err += `${line}\n`),
  })
  return { exitCode, out, err }
}

/** The project as if the package were installed in it. */
async function install(): Promise<void> {
  await mkdir(join(root, 'node_modules/@doorplate'), { recursive: true })
  await symlink(PACKAGE, join(root, 'node_modules/@doorplate/aadp-server'))
  await mkdir(join(root, 'node_modules/@types'), { recursive: true })
  await symlink(join(PACKAGE, 'node_modules/@types/node'), join(root, 'node_modules/@types/node'))
  await symlink(join(PACKAGE, 'node_modules/hono'), join(root, 'node_modules/hono'))
  await writeFile(join(root, 'package.json'), '{ "type": "module" }')
}

test.each(FRAMEWORKS)('init --framework %s and add-resource write what compiles', async (framework) => {
  expect(await aadp('init', '--framework', framework)).toMatchObject({ exitCode: 0, err: '' })
  for (const type of ['release-note', 'class', 'map', 'x_1']) {
    expect(await aadp('add-resource', type)).toMatchObject({ exitCode: 0, err: '' })
  }
  await install()
  const isBundled = framework === 'next'
  const compilerOptions = {
    strict: true,
    noEmit: true,
    target: 'ES2022',
    lib: isBundled ? ['ES2023', 'DOM'] : ['ES2023'],
    types: ['node'],
    module: isBundled ? 'ESNext' : 'NodeNext',
    moduleResolution: isBundled ? 'Bundler' : 'NodeNext',
    isolatedModules: true,
    skipLibCheck: true,
  }
  const include = ['aadp', 'app', 'app/.well-known/**/*.ts']
  await writeFile(join(root, 'tsconfig.json'), JSON.stringify({ compilerOptions, include }))
  const { stdout } = await promisify(execFile)(process.execPath, [TSC, '-p', root, '--listFiles']).catch(
    (error: unknown) => error as { stdout: string },
  )
  const lines = stdout.trim().split('\n')
  expect(lines.filter((line) => line.includes('error TS'))).toEqual([])
  const files = lines.filter((line) => line.startsWith(root) && !line.includes('node_modules'))
  expect(files).toHaveLength(isBundled ? 11 : 8)
})

describe('what init and add-resource write runs as it is', () => {
  const MANIFEST = '/.well-known/ai-manifest.json'

  async function bundle(entry: string, options: BuildOptions): Promise<string> {
    await aadp('add-resource', 'note')
    await install()
    const outfile = join(root, 'bundle.mjs')
    await build({
      entryPoints: [join(root, 'aadp', entry)],
      outfile,
      bundle: true,
      format: 'esm',
      ...options,
    })
    return outfile
  }

  test('with node', async () => {
    expect((await aadp('init')).out).toMatch(
      /\n\n.*aadp\/aadp\.server\.ts.*\nRun it: npx --yes tsx aadp\/main\.ts\n$/,
    )
    const outfile = await bundle('main.ts', { platform: 'node', packages: 'external' })
    const port = String(await freePort())
    const child = spawn(process.execPath, [outfile], { env: { ...process.env, PORT: port } })
    try {
      const [line] = (await once(child.stdout, 'data')) as [Buffer]
      const url = String(line).trim()
      expect(url).toBe(`http://localhost:${port}${MANIFEST}`)
      expect(await (await fetch(url)).json()).toMatchObject({
        resources: [{ type: 'note' }, { type: 'page' }],
      })
    } finally {
      child.kill()
      await once(child, 'exit')
    }
  })

  test('with hono', async () => {
    expect((await aadp('init', '--framework', 'hono')).out).toMatch(/\nRun it: bun aadp\/app\.ts, /)
    const outfile = await bundle('app.ts', { platform: 'node', packages: 'external' })
    const program = `const { default: app } = await import(${JSON.stringify(pathToFileURL(outfile).href)})
for (const path of ['${MANIFEST}', '/other']) console.log((await app.request(path)).status)`
    const args = ['--input-type=module', '--eval', program]
    expect((await promisify(execFile)(process.execPath, args)).stdout).toBe('200\n404\n')
  })

  test('with workers', async () => {
    expect((await aadp('init', '--framework', 'workers')).out).toMatch(
      /\nRun it: npx wrangler dev aadp\/worker\.ts\n$/,
    )
    const path = await bundle('worker.ts', { platform: 'neutral', conditions: ['worker'] })
    const { Miniflare } = await import('miniflare')
    const miniflare = new Miniflare({
      modules: [{ type: 'ESModule', path }],
      modulesRoot: root,
      compatibilityDate: '2025-12-01',
    })
    try {
      const response = await miniflare.dispatchFetch(`http://localhost:8787${MANIFEST}`)
      expect(await response.json()).toMatchObject({ resources: [{ type: 'note' }, { type: 'page' }] })
    } finally {
      await miniflare.dispose()
    }
  })
})

test('export writes the site that a module exports', async () => {
  await aadp('init')
  await install()
  const outfile = join(root, 'site.mjs')
  await build({
    entryPoints: [join(root, 'aadp/aadp.server.ts')],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
  })
  expect(await aadp('export', 'site.mjs', '--out', 'dist')).toEqual({
    exitCode: 0,
    out: '7 documents written to dist\n',
    err: '',
  })
  const manifest = JSON.parse(
    await readFile(join(root, 'dist/.well-known/ai-manifest.json'), 'utf8'),
  ) as unknown
  expect(manifest).toMatchObject({ aadp_version: '1.0', resources: [{ type: 'page' }] })
  const elsewhere = join(root, 'else', 'where')
  expect(await aadp('export', join(root, 'site.mjs'), '--out', elsewhere)).toMatchObject({ exitCode: 0 })
  expect(existsSync(join(elsewhere, '.well-known/ai-manifest.json'))).toBe(true)
  await writeFile(join(root, 'empty.mjs'), 'export default {}')
  expect(await aadp('export', 'empty.mjs')).toMatchObject({ exitCode: 1 })
})

describe('export of a site with records that cannot be published', () => {
  async function exportOf(names: readonly string[]): ReturnType<typeof aadp> {
    await install()
    await writeFile(
      join(root, 'site.mjs'),
      `import { createCollection, defineAADP, defineResource } from '@doorplate/aadp-server'
export const aadp = defineAADP({
  baseUrl: 'https://blog.acme.test',
  application: { name: 'A', description: 'B', publisher: { name: 'C', url: 'https://acme.test/' } },
  policies: { robots: 'https://acme.test/robots.txt', terms: 'https://acme.test/terms' },
  resources: [defineResource({
    type: 'post',
    ...createCollection(${JSON.stringify(names)}, { name: (name) => name }),
    serialize: (name) => ({ id: 'post:' + name, updatedAt: new Date(0), data: {} }),
  })],
})`,
    )
    return aadp('export', 'site.mjs')
  }

  test('says how many, and why, and ends with 3', async () => {
    const result = await exportOf(['2026-hello', 'hello'])
    expect(result).toMatchObject({ exitCode: 3, out: '7 documents written to public\n' })
    expect(result.err).toMatch(/^1 record left out:\n {2}Left out "post:2026-hello": id: .*\n$/)
  })

  test('gives the first reasons of many', async () => {
    const result = await exportOf(Array.from({ length: 60 }, (_, index) => String(index)))
    expect(result.exitCode).toBe(3)
    const lines = result.err.trim().split('\n')
    expect([lines[0], lines.length, lines.at(-1)]).toEqual(['60 records left out:', 12, '  and 50 more'])
  })
})

test('export says how it takes what Node.js does not run', async () => {
  await writeFile(join(root, 'site.text'), 'export const aadp = 1')
  const args = [join(PACKAGE, 'dist', 'cli.js'), 'export', 'site.text']
  const failure = (await promisify(execFile)(process.execPath, args, { cwd: root }).catch(
    (error: unknown) => error,
  )) as { readonly code: number; readonly stderr: string }
  expect(failure.code).toBe(1)
  expect(failure.stderr).toMatch(
    /^Unknown file extension .+ TypeScript: npx --yes tsx \S+\/cli\.js export <module>\n$/,
  )
})

test('names the option that there is not', async () => {
  expect(await aadp('init', '--nonsense')).toEqual({
    exitCode: 2,
    out: '',
    err: "Unknown option '--nonsense'. Try aadp --help.\n",
  })
})

test('names the option that was meant', async () => {
  expect(await aadp('init', '--framewrk', 'hono')).toMatchObject({
    exitCode: 2,
    err: "Unknown option '--framewrk'. Did you mean --framework? Try aadp --help.\n",
  })
})

describe('nothing is overwritten', () => {
  test('by init, not even in part', async () => {
    await aadp('init')
    const config = join(root, 'aadp/aadp.server.ts')
    await writeFile(config, '// mine')
    const again = await aadp('init', '--framework', 'workers')
    expect(again).toMatchObject({ exitCode: 1, out: '' })
    expect(again.err).toContain('aadp.server.ts')
    expect(await readFile(config, 'utf8')).toBe('// mine')
    expect(existsSync(join(root, 'aadp/worker.ts'))).toBe(false)
    expect(await aadp('init', '--force')).toMatchObject({ exitCode: 0 })
    expect(await readFile(config, 'utf8')).not.toBe('// mine')
  })

  test('by add-resource, neither a resource nor a list of one\u2019s own', async () => {
    await aadp('init', '--dir', 'src/agents')
    expect(await aadp('add-resource', 'page', '--dir', 'src/agents')).toMatchObject({ exitCode: 1 })
    const list = join(root, 'src/agents/resources/index.ts')
    await writeFile(list, '// mine')
    expect(await aadp('add-resource', 'post', '--dir', 'src/agents')).toMatchObject({ exitCode: 0 })
    expect(await readFile(list, 'utf8')).toBe('// mine')
  })
})

test.each([
  [[], 2],
  [['deploy'], 2],
  [['init', 'more'], 2],
  [['init', '--framework', 'rails'], 2],
  [['init', '--unknown'], 2],
  [['init', '--dir'], 2],
  [['add-resource'], 2],
  [['add-resource', 'Post'], 1],
  [['add-resource', '../post'], 1],
  [['add-resource', 'index'], 1],
  [['export'], 2],
  [['export', 'nowhere.mjs'], 1],
  [['--help'], 0],
  [['--version'], 0],
])('aadp %j ends with %i', async (argv, exitCode) => {
  const result = await aadp(...argv)
  expect(result.exitCode).toBe(exitCode)
  expect(result[exitCode === 0 ? 'out' : 'err']).not.toBe('')
  expect(existsSync(join(root, 'aadp'))).toBe(false)
})

test('two types of one TypeScript name are refused', async () => {
  await aadp('init')
  await aadp('add-resource', 'a-b')
  expect(await aadp('add-resource', 'a_b')).toMatchObject({ exitCode: 1 })
})

test('a folder may be given from the root of the file system', async () => {
  expect(await aadp('init', '--dir', join(root, 'deep', 'aadp'))).toMatchObject({ exitCode: 0 })
  expect(existsSync(join(root, 'deep/aadp/aadp.server.ts'))).toBe(true)
})

test('what a module keeps open does not keep the command running', async () => {
  await writeFile(join(root, 'open.mjs'), 'setInterval(() => {}, 1_000_000)')
  const command = spawn(process.execPath, [join(PACKAGE, 'dist/cli.js'), 'export', 'open.mjs'], { cwd: root })
  const [exitCode] = (await once(command, 'exit')) as [number]
  expect(exitCode).toBe(1)
})
