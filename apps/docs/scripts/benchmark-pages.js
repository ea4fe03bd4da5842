/** What was measured: the method, and the figures of the last complete run with their pictures. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { projectRoot } from './project.js'
import { repositoryPage } from './repository-page.js'

const RESULTS = join(projectRoot, 'bench/results')

/** @typedef {{ readonly benchmark: string, readonly title: string, readonly contender: string, readonly judgedBy: string, readonly ratio: number, readonly noise: number }} Ratio */
/** @typedef {{ readonly name: string, readonly value: number, readonly unit: string }} Figure */
/** @typedef {{ readonly name: string, readonly measuredAt: string, readonly environment: Readonly<Record<string, string>>, readonly figures: readonly Figure[] }} Result */

/** @returns {import('./repository-page.js').Page[]} */
export function benchmarkPages() {
  const { path, text } = repositoryPage('bench/README.md')
  const files = readdirSync(RESULTS).filter((file) => file.endsWith('.json') && file !== 'summary.json')
  const results = files.sort().map((file) => /** @type {Result} */ (readJson(file)))
  const ratios = /** @type {readonly Ratio[]} */ (readJson('summary.json'))
  const sections = results.map((result) =>
    sectionOf(
      result,
      ratios.filter(({ benchmark }) => benchmark === result.name),
    ),
  )
  return [
    { path, text: `${text}\n## Results\n\n${LEGEND}\n\n${sections.join('\n\n')}\n` },
    ...picturesOf(results),
  ]
}

const LEGEND = `A ratio is the median time of what is measured over the median time of what stands beside it, its limit or baseline: **less is better**, 1 is as fast.
It varies by as much as both medians lie above the fastest round.`

/** @param {string} file */
function readJson(file) {
  return JSON.parse(readFileSync(join(RESULTS, file), 'utf8'))
}

/**
 * @param {Result} result
 * @param {readonly Ratio[]} ratios
 */
function sectionOf({ name, measuredAt, environment, figures }, ratios) {
  const parts = [
    `### ${name}`,
    `${measuredAt.slice(0, 10)}, ${environment.runtime}, ${environment.processor}.`,
    ...(hasPicture(name) ? [`![${PICTURE}](./pictures/${name}.svg)`, `${PICTURE}.`] : []),
    ...(ratios.length > 0 ? [tableOf(ratios)] : []),
    ...(figures.length > 0 ? [listOf(figures)] : []),
  ]
  return parts.join('\n\n')
}

const PICTURE = 'Time in lengths of the grey bar, by the medians of the rounds: less is better'

/** @param {readonly Ratio[]} ratios */
function tableOf(ratios) {
  const rows = ratios.map(
    ({ title, contender, judgedBy, ratio, noise }) =>
      `| ${title} | ${contender} | ${judgedBy} | ${ratio.toFixed(2)} | ${Math.round(noise * 100)} % |`,
  )
  return [
    '| what | measured | beside | ratio of time, less is better | varies by |',
    '| --- | --- | --- | ---: | ---: |',
    ...rows,
  ].join('\n')
}

/** @param {readonly Figure[]} figures */
function listOf(figures) {
  return figures
    .map(({ name, value, unit }) => `- ${name}: ${Number(value.toPrecision(3))} ${unit}`.trimEnd())
    .join('\n')
}

/** @param {readonly Result[]} results */
function picturesOf(results) {
  return results
    .filter(({ name }) => hasPicture(name))
    .map(({ name }) => ({
      path: `reference/pictures/${name}.svg`,
      text: readFileSync(join(RESULTS, `${name}.svg`), 'utf8'),
    }))
}

/** A benchmark that measures no ratio has none. @param {string} name */
function hasPicture(name) {
  return existsSync(join(RESULTS, `${name}.svg`))
}
