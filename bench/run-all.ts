/** Runs every benchmark, or those named, one after the other; then prints their ratios, and writes them and a picture of each. */
import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { chartOf } from './src/chart.js'
import { ratiosOf } from './src/ratios.js'
import { readResults } from './src/results.js'

const folder = import.meta.dirname
const results = join(folder, 'results')
const { scripts } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
  scripts: Readonly<Record<string, string>>
}
/** A benchmark is a program in a folder of its own. */
const benchmarks = Object.keys(scripts).filter((name) => /[\w-]+\/[\w-]+\.ts$/.test(scripts[name] ?? ''))
const wanted = process.argv.slice(2)
const unknown = wanted.filter((name) => !benchmarks.includes(name))
if (unknown.length > 0) {
  console.error(`No benchmark is named ${unknown.join(', ')}. There are: ${benchmarks.join(', ')}.`)
  process.exit(1)
}

mkdirSync(results, { recursive: true })
const failed = benchmarks
  .filter((name) => wanted.length === 0 || wanted.includes(name))
  .filter((name) => {
    const [command = '', ...args] = (scripts[name] ?? '').split(' ')
    const program = command === 'node' ? process.execPath : join(folder, 'node_modules', '.bin', command)
    return spawnSync(program, args, { cwd: folder, stdio: 'inherit' }).status !== 0
  })

const found = readResults(results)
const ratios = found.flatMap(ratiosOf)
writeFileSync(join(results, 'summary.json'), `${JSON.stringify(ratios, null, 2)}\n`)
for (const result of found) {
  const chart = chartOf(result)
  if (chart !== undefined) writeFileSync(join(results, `${result.name}.svg`), chart)
}

console.log('\n# Time over the limit, or over the baseline where there is no limit\n')
console.log('| benchmark | input | contender | over | ratio | noise |\n| --- | --- | --- | --- | --- | --- |')
for (const { benchmark, title, contender, judgedBy, ratio, noise } of ratios) {
  const numbers = `x${ratio.toFixed(2)} | ${(noise * 100).toFixed(0)} %`
  console.log(`| ${benchmark} | ${title} | ${contender} | ${judgedBy} | ${numbers} |`)
}
if (failed.length > 0) {
  console.error(`\nNot measured: ${failed.join(', ')}`)
  process.exitCode = 1
}
