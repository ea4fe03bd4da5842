import { existsSync } from 'node:fs'
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { transform } from 'esbuild'
import type { WorkspacePackage } from './workspace-packages.js'

/** One import that users write, and the program under `test/smoke` of its package that uses it. */
export interface Entry {
  /** Such as `@doorplate/ahp-converse/server`. */
  readonly specifier: string
  /** TypeScript that exports `smoke`, which returns true when the entry works. */
  readonly program: string
  /** Whether it works only where the user has installed another package as well. */
  readonly needsPeer: boolean
  /** Name for files made from the program. */
  readonly name: string
}

/** Entries that need a package which the user installs as well. */
const NEEDS_PEER: readonly string[] = [
  '@doorplate/aadp-client/bullmq',
  '@doorplate/aadp-client/sqlite',
  '@doorplate/ahp-converse/ai',
  '@doorplate/ahp-converse/bullmq',
  '@doorplate/ahp-converse/jwt',
  '@doorplate/ahp-converse/mcp',
  '@doorplate/ahp-converse/sqlite',
  '@doorplate/ahp-converse/tools',
  '@doorplate/ahp-converse/web-bot-auth',
]

/** The entries of a package that are code. */
export function entriesOf({ folder, path, manifest }: WorkspacePackage): readonly Entry[] {
  return Object.keys(manifest.exports ?? {})
    .filter((key) => !key.endsWith('.json'))
    .map((key) => {
      const name = key === '.' ? 'index' : key.slice(2)
      const specifier = manifest.name + key.slice(1)
      return {
        specifier,
        program: join(path, 'test', 'smoke', `${name}.ts`),
        needsPeer: NEEDS_PEER.includes(specifier),
        name: `${folder}.${name}`,
      }
    })
}

export function entriesWithoutProgram(entries: readonly Entry[]): readonly string[] {
  return entries.filter(({ program }) => !existsSync(program)).map(({ specifier }) => specifier)
}

/** Writes every program as an ES module, as CommonJS and as TypeScript, and one more of each kind that runs them all. */
export async function writePrograms(folder: string, entries: readonly Entry[]): Promise<void> {
  await mkdir(folder, { recursive: true })
  for (const { program, name } of entries) {
    const text = await readFile(program, 'utf8')
    await cp(program, join(folder, `${name}.ts`))
    await writeFile(
      join(folder, `${name}.mjs`),
      (await transform(text, { loader: 'ts', format: 'esm' })).code,
    )
    await writeFile(
      join(folder, `${name}.cjs`),
      (await transform(text, { loader: 'ts', format: 'cjs' })).code,
    )
  }
  await writeFile(
    join(folder, 'all.mjs'),
    allOf(entries, (name) => `await import('./${name}.mjs')`),
  )
  const required = allOf(entries, (name) => `require('./${name}.cjs')`)
  await writeFile(join(folder, 'all.cjs'), `void (async () => {\n${required}})()\n`)
}

/** A program that prints each specifier whose program says true. */
function allOf(entries: readonly Entry[], load: (name: string) => string): string {
  return entries
    .map(
      ({ specifier, name }) => `if ((await (${load(name)}).smoke()) === true) console.log('${specifier}')\n`,
    )
    .join('')
}
