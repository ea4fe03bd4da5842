import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { loadVectors } from '@internal/vectors'
import { build } from 'esbuild'
import { Miniflare } from 'miniflare'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const packageRoot = fileURLToPath(new URL('..', import.meta.url))
const vectors = loadVectors<{ readonly value: string; readonly checksum: string }[]>('checksums.json')
/** As deep as allowed, and canonical as it stands. */
const deepest = `${'{"1":'.repeat(1000)}0${'}'.repeat(1000)}`
const texts = [...vectors.map(({ value }) => value), deepest]
const checksums = [
  ...vectors.map(({ checksum }) => checksum),
  `sha256:${createHash('sha256').update(deepest).digest('hex')}`,
]

/** Uses the built package by its public names. */
const USE_PACKAGE = `
  import { validateDocument } from '@doorplate/aadp-schemas'
  import { checksumOf } from '@doorplate/aadp-schemas/canonical-json'
  export const checksums = (texts) => texts.map((text) => checksumOf(JSON.parse(text)))
  export const verdict = (data) => validateDocument({ version: '1.0', kind: 'entity', data }).valid
`

describe('the built package in a Workers runtime', () => {
  let bundled: Bundle
  let worker: Miniflare

  beforeAll(async () => {
    bundled = await bundle(`${USE_PACKAGE}
      export default {
        async fetch(request) {
          const { texts, entity } = await request.json()
          return Response.json({ checksums: checksums(texts), verdicts: [verdict(entity), verdict({})] })
        },
      }
    `)
    worker = new Miniflare({ modules: true, script: bundled.text, compatibilityDate: '2025-12-01' })
  })

  afterAll(() => worker.dispose())

  it('is bundled without any Node built-in', () => {
    expect(bundled.imports).toEqual([])
  })

  it('validates and gives the checksums of the vectors', async () => {
    const entity = {
      aadp_version: '1.0',
      id: 'book:dune',
      type: 'book',
      checksum: checksums[0],
      updated_at: '2026-02-20T17:30:00Z',
      data: {},
    }
    const body = JSON.stringify({ texts, entity })
    const response = await worker.dispatchFetch('http://worker.example/', { method: 'POST', body })
    expect(await response.json()).toEqual({ checksums, verdicts: [true, false] })
  })
})

describe('the built package in Node', () => {
  it('needs no code generation from strings', () => {
    const script = `${USE_PACKAGE}
      console.log(JSON.stringify([verdict({}), checksums(${JSON.stringify(texts)})]))
    `
    const flags = ['--disallow-code-generation-from-strings', '--input-type=module', '--eval', script]
    const output = execFileSync(process.execPath, flags, { cwd: packageRoot, encoding: 'utf8' })
    expect(JSON.parse(output)).toEqual([false, checksums])
  })
})

interface Bundle {
  readonly text: string
  /** What the bundle still imports. */
  readonly imports: readonly string[]
}

async function bundle(contents: string): Promise<Bundle> {
  const { outputFiles, metafile } = await build({
    stdin: { contents, resolveDir: packageRoot },
    bundle: true,
    write: false,
    metafile: true,
    format: 'esm',
    platform: 'browser',
    conditions: ['worker'],
    external: ['node:*'],
  })
  return {
    text: outputFiles.map(({ text }) => text).join(''),
    imports: Object.values(metafile.outputs).flatMap(({ imports }) => imports.map(({ path }) => path)),
  }
}
