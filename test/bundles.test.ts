import { execFile } from 'node:child_process'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { build } from 'esbuild'
import { describe, expect, it } from 'vitest'
import budgets from '../.size-limit.js'
import { entriesOf } from './smoke-programs.js'
import { published } from './workspace-packages.js'

const run = promisify(execFile)
const traces = fileURLToPath(new URL('traces-of-imports.js', import.meta.url))

describe('what a bundler makes of', () => {
  it.each(published)('every entry of $folder has a budget', (workspacePackage) => {
    const names = budgets.map(({ name }) => name)
    expect(names).toEqual(
      expect.arrayContaining(entriesOf(workspacePackage).map(({ specifier }) => specifier)),
    )
  })

  it.each(published)('an import of nothing from $folder is nothing', async (workspacePackage) => {
    const lines = entriesOf(workspacePackage).map(({ specifier }) => `import '${specifier}'\n`)
    const { outputFiles } = await build({
      stdin: { contents: lines.join(''), resolveDir: workspacePackage.path },
      bundle: true,
      minify: true,
      format: 'esm',
      platform: 'node',
      external: Object.keys(workspacePackage.manifest.peerDependencies ?? {}),
      write: false,
      logLevel: 'error',
    })
    expect(outputFiles[0]?.text).toBe('')
  })
})

describe('an import', () => {
  // `sideEffects: false` lets a bundler leave modules out; this is what makes it true.
  it.each(published)('of every entry of $folder changes nothing but itself', async (workspacePackage) => {
    const { resolve } = createRequire(join(workspacePackage.path, 'package.json'))
    const entries = entriesOf(workspacePackage).filter(({ needsPeer }) => !needsPeer)
    const files = entries.map(({ specifier }) => pathToFileURL(resolve(specifier)).href)
    const { stdout, stderr } = await run(process.execPath, [traces, ...files])
    expect([stderr, JSON.parse(stdout)]).toEqual(['', []])
  })
})
