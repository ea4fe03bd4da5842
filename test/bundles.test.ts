import { execFile } from 'node:child_process'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { bundleLine } from './bundle-entry.js'
import { SIZE_BUDGETS } from './size-budgets.js'
import { entriesOf } from './smoke-programs.js'
import { published } from './workspace-packages.js'

const run = promisify(execFile)
const traces = fileURLToPath(new URL('traces-of-imports.js', import.meta.url))

/** Lines of users who want one small thing, and the most kilobytes that it may bring, minified and after gzip. */
const SMALL_WISHES: readonly (readonly [folder: string, line: string, kilobytes: number])[] = [
  ['aadp-client', "export { isAadpClientError } from '@doorplate/aadp-client'", 2],
  ['aadp-schemas', "export { isExtensionKey } from '@doorplate/aadp-schemas'", 1],
  ['aadp-server', "export { notFound } from '@doorplate/aadp-server'", 2],
  ['agent-discovery', "export { toLinkset } from '@doorplate/agent-discovery'", 4],
  ['ahp-converse', "export { isConverseError } from '@doorplate/ahp-converse'", 1],
  ['ahp-manifest', "export { llmsTxt } from '@doorplate/ahp-manifest'", 1],
  ['conformance-kit', "export { visibleText } from '@doorplate/conformance-kit'", 3],
  ['safe-fetch', "export { parseRetryAfter } from '@doorplate/safe-fetch'", 3],
]

describe('what a bundler makes of', () => {
  it.each(published)('$folder stays within its budgets', async (workspacePackage) => {
    const entries = entriesOf(workspacePackage)
    const budgets = entries.map(({ specifier }) => [specifier, SIZE_BUDGETS[specifier] ?? 0] as const)
    for (const [specifier, kilobytes] of budgets) {
      const { gzipBytes } = await bundleLine(`export * from '${specifier}'`, workspacePackage)
      expect(gzipBytes / 1000, specifier).toBeLessThanOrEqual(kilobytes)
      expect(gzipBytes / 1000, `${specifier}: lower the budget`).toBeGreaterThan(kilobytes * 0.7)
    }
  })

  it.each(published)('an import of nothing from $folder is nothing', async (workspacePackage) => {
    const lines = entriesOf(workspacePackage).map(({ specifier }) => `import '${specifier}'\n`)
    expect((await bundleLine(lines.join(''), workspacePackage)).text).toBe('')
  })

  it.each(SMALL_WISHES)('one small thing of %s is small', async (folder, line, kilobytes) => {
    const workspacePackage = published.find((candidate) => candidate.folder === folder)!
    const { text, gzipBytes } = await bundleLine(line, workspacePackage)
    expect(text).not.toBe('')
    expect(gzipBytes / 1000).toBeLessThanOrEqual(kilobytes)
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
