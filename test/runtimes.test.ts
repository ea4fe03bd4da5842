import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { promisify } from 'node:util'
import { programOf } from '@internal/runtimes'
import { build, type BuildOptions } from 'esbuild'
import { Miniflare } from 'miniflare'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PORTABLE_ENTRIES } from './portable-entries.js'
import { entriesOf, type Entry } from './smoke-programs.js'
import { projectRoot, published } from './workspace-packages.js'

const run = promisify(execFile)
const INSTALL_TIMEOUT_MS = 180_000

/** The oldest Node that is promised, and every line that is kept up. Their programs come from npm, about 40 MB each. */
const NODE_VERSIONS = ['20.18.1', '20', '22', '24'] as const
const wantsNodes = process.env['TEST_RUNTIMES'] === '1'
const nodePackage = `node-${process.platform}-${process.arch}`

const everywhere = published
  .flatMap(entriesOf)
  .filter(({ name }) => PORTABLE_ENTRIES.some(([folder, entry]) => name === `${folder}.${entry}`))
const onNode = published.flatMap(entriesOf).filter(({ needsPeer }) => !needsPeer)
const worksEverywhere = everywhere.map(({ specifier }) => specifier)
const worksOnNode = onNode.map(({ specifier }) => specifier)

let folder: string
let portable: string
let nodeProgram: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'runtimes-'))
  portable = await bundle('portable', everywhere, { platform: 'browser', conditions: ['workerd', 'worker'] })
  nodeProgram = await bundle('node', onNode, {
    platform: 'node',
    external: ['web-bot-auth'],
    banner: {
      js: "import { createRequire as from } from 'node:module'; const require = from(import.meta.url)",
    },
  })
})
afterAll(() => rm(folder, { recursive: true, force: true }))

describe('every portable entry works', () => {
  it('is there', () => {
    expect(everywhere).toHaveLength(PORTABLE_ENTRIES.length)
  })

  it('on Node without code generation', async () => {
    expect(await printed(process.execPath, '--disallow-code-generation-from-strings', portable)).toEqual(
      worksEverywhere,
    )
  })

  const bun = programOf('bun')
  it.skipIf(bun === undefined)('on Bun (skipped where its npm package has no program)', async () => {
    expect(await printed(bun ?? '', portable)).toEqual(worksEverywhere)
  })

  const deno = programOf('deno')
  it.skipIf(deno === undefined)(
    'on Deno with no permission (skipped where its npm package has no program)',
    async () => {
      const args = ['run', '--no-prompt', '--no-remote', '--no-npm', '--no-config', portable]
      expect(await printed(deno ?? '', ...args)).toEqual(worksEverywhere)
    },
  )

  it('on Workers', async () => {
    const worker = `import { working } from './portable.mjs'
export default { fetch: async () => Response.json(await working()) }`
    await writeFile(join(folder, 'worker.mjs'), worker)
    const miniflare = new Miniflare({
      modules: ['worker.mjs', 'portable.mjs'].map((file) => ({ type: 'ESModule', path: join(folder, file) })),
      modulesRoot: folder,
      compatibilityDate: '2025-12-01',
    })
    try {
      expect(await (await miniflare.dispatchFetch('https://worker.test/')).json()).toEqual(worksEverywhere)
    } finally {
      await miniflare.dispose()
    }
  })
})

describe('every entry that needs no other package works', () => {
  it(`on this Node, ${process.version}`, async () => {
    expect(await printed(process.execPath, nodeProgram)).toEqual(worksOnNode)
  })

  describe.skipIf(!wantsNodes)('from npm (needs TEST_RUNTIMES=1)', () => {
    it.each(NODE_VERSIONS)('on Node %s', { timeout: INSTALL_TIMEOUT_MS }, async (version) => {
      const place = join(folder, `node-${version}`)
      await mkdir(place)
      await writeFile(join(place, 'package.json'), '{"private":true}')
      const args = [
        'install',
        '--no-audit',
        '--no-fund',
        '--no-package-lock',
        `${nodePackage}@${rangeOf(version)}`,
      ]
      await run('npm', args, { cwd: place, shell: process.platform === 'win32' })
      const node = join(place, 'node_modules', nodePackage, 'bin', 'node')
      expect((await run(node, ['--version'])).stdout).toMatch(
        new RegExp(`^v${version.replaceAll('.', '\\.')}\\b`),
      )
      expect(await printed(node, nodeProgram)).toEqual(worksOnNode)
    })
  })
})

/** One module of all programs, which prints what works, and for Workers exports the function that tells. */
async function bundle(name: string, entries: readonly Entry[], options: BuildOptions): Promise<string> {
  const imports = entries.map(
    ({ program }, index) => `import * as p${index} from ${JSON.stringify(program)}\n`,
  )
  const list = entries.map(({ specifier }, index) => `['${specifier}', p${index}.smoke]`)
  const contents = `${imports.join('')}
const programs = [${list.join(', ')}]
export async function working() {
  const names = []
  for (const [name, smoke] of programs) if ((await smoke()) === true) names.push(name)
  return names
}
`
  const outfile = join(folder, `${name}.mjs`)
  await build({
    stdin: { contents, resolveDir: projectRoot },
    outfile,
    bundle: true,
    format: 'esm',
    target: 'es2022',
    logLevel: 'error',
    ...options,
  })
  const program = join(folder, `${name}-main.mjs`)
  await writeFile(
    program,
    `import { working } from './${name}.mjs'\nconsole.log(JSON.stringify(await working()))\n`,
  )
  return program
}

async function printed(program: string, ...args: readonly string[]): Promise<unknown> {
  return JSON.parse((await run(program, args)).stdout)
}

/** npm takes `20` for its tag and not for the newest 20 where releases are not in order. */
function rangeOf(version: string): string {
  return version.includes('.') ? version : `^${version}`
}
