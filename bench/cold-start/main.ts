import { spawnSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { measure } from '../src/measure.js'
import { report, type Figure } from '../src/report.js'

const EMPTY = 'empty process'

/** Import specifiers whose cost at start and whose bundled size are measured. */
const SPECIFIERS = ['@doorplate/aadp-schemas', '@doorplate/aadp-schemas/canonical-json']
const TOGETHER = SPECIFIERS.join(' and ')

const benchRoot = fileURLToPath(new URL('..', import.meta.url))
const folder = await mkdtemp(join(benchRoot, 'cold-start-'))
try {
  const entries = new Map([[EMPTY, '']])
  for (const specifier of SPECIFIERS) entries.set(specifier, importOf(specifier))
  entries.set(TOGETHER, SPECIFIERS.map(importOf).join(''))

  const contenders = []
  for (const [name, source] of entries) {
    const file = join(folder, `${contenders.length}.js`)
    await writeFile(file, source)
    contenders.push({ name, run: startNode.bind(null, file), cpuMs: null })
  }
  const measurements = await measure(contenders, { rounds: 41, roundMs: 1 })
  const emptyUs = measurements.find(({ name }) => name === EMPTY)?.wallUs.median ?? NaN
  const figures = measurements
    .filter(({ name }) => name !== EMPTY)
    .map(({ name, wallUs }) => ({
      name: `${name} over an ${EMPTY}`,
      value: (wallUs.median - emptyUs) / 1000,
      unit: 'ms',
    }))
  for (const [name, source] of entries) if (name !== EMPTY) figures.push(...(await bundledSize(name, source)))
  await report('cold-start', [{ title: 'Import', measurements, limit: EMPTY }], figures)
} finally {
  await rm(folder, { recursive: true })
}

/** The namespace is kept alive, so that a bundler cannot leave the package out. */
function importOf(specifier: string): string {
  return `import * as ${specifier.replaceAll(/\W/g, '_')} from '${specifier}'\nglobalThis['${specifier}'] = ${specifier.replaceAll(/\W/g, '_')}\n`
}

function startNode(file: string): void {
  const { status, stderr } = spawnSync(process.execPath, [file], { encoding: 'utf8' })
  if (status !== 0) throw new Error(stderr)
}

async function bundledSize(name: string, source: string): Promise<Figure[]> {
  const { outputFiles } = await build({
    stdin: { contents: source, resolveDir: benchRoot },
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    platform: 'browser',
  })
  const bytes = Buffer.concat(outputFiles.map(({ contents }) => contents))
  return [
    { name: `${name}, bundled for a browser and minified`, value: bytes.length / 1000, unit: 'kB' },
    {
      name: `${name}, bundled, minified and gzipped`,
      value: gzipSync(bytes, { level: 9 }).length / 1000,
      unit: 'kB',
    },
  ]
}
