import { createHash, hash } from 'node:crypto'
import { checksumOf } from '@doorplate/aadp-schemas/canonical-json'
import libraryCanonicalize from 'canonicalize'
import { measure } from '../src/measure.js'
import { report, type Comparison } from '../src/report.js'
import { benchmarkDocuments } from './documents.js'

const BASELINE = 'canonicalize + createHash'
const LIMIT = 'JSON.stringify + crypto.hash (not canonical)'

/** Many short rounds, because a pause of the machine spoils a whole round. */
const ROUNDS = { rounds: 101, roundMs: 10 }

const comparisons: Comparison[] = []
for (const { title, value } of benchmarkDocuments()) {
  const digest = hash('sha256', libraryText(value))
  if (checksumOf(value) !== `sha256:${digest}`) throw new Error(`The checksums of "${title}" differ.`)
  const contenders = [
    { name: 'checksumOf', run: () => checksumOf(value) },
    { name: 'canonicalize + crypto.hash', run: () => hash('sha256', libraryText(value)) },
    { name: BASELINE, run: () => createHash('sha256').update(libraryText(value)).digest('hex') },
    { name: LIMIT, run: () => hash('sha256', JSON.stringify(value)) },
  ]
  const measurements = await measure(contenders, ROUNDS)
  comparisons.push({ title, measurements, baseline: BASELINE, limit: LIMIT })
}
await report('canonical-json', comparisons)

function libraryText(value: unknown): string {
  return libraryCanonicalize(value) ?? ''
}
