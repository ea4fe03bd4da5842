/**
 * Compares two folders of results and fails when a ratio became worse by more than noise. Usage: `tsx compare.ts <before> <after>`.
 */
import { ratiosOf, regressionsBetween } from './src/ratios.js'
import { readResults } from './src/results.js'

const [before, after] = process.argv.slice(2)
if (before === undefined || after === undefined) {
  console.error('Usage: tsx compare.ts <folder of results before> <folder of results after>')
  process.exit(2)
}

const [earlier, later] = [before, after].map((folder) => readResults(folder).flatMap(ratiosOf))
const regressions = regressionsBetween(earlier ?? [], later ?? [])
for (const { before, after } of regressions) {
  const place = `${after.benchmark}, ${after.title}: ${after.contender} over ${after.judgedBy}`
  console.error(`${place} was x${before.ratio.toFixed(2)} and is x${after.ratio.toFixed(2)}`)
}
console.log(`${later?.length ?? 0} ratios, ${regressions.length} of them worse by more than noise`)
if (regressions.length > 0) process.exitCode = 1
