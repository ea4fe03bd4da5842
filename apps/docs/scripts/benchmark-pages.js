/** What was measured: the method, and the last results with their pictures where there are any. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { projectRoot } from './project.js'
import { repositoryPage } from './repository-page.js'

const RESULTS = join(projectRoot, 'bench/results')

/** @typedef {{ readonly benchmark: string, readonly title: string, readonly contender: string, readonly judgedBy: string, readonly ratio: number }} Ratio */

/** @returns {import('./repository-page.js').Page[]} */
export function benchmarkPages() {
  const { path, text } = repositoryPage('bench/README.md')
  const ratios = readRatios()
  const names = [...new Set(ratios.map(({ benchmark }) => benchmark))]
  const pictures = names.filter((name) => existsSync(pictureOf(name)))
  const sections = names.map((name) => {
    const picture = pictures.includes(name) ? `![Ratios of ${name}](./pictures/${name}.svg)\n\n` : ''
    return `### ${name}\n\n${whenMeasured(name)}${picture}${tableOf(ratios.filter(({ benchmark }) => benchmark === name))}`
  })
  return [
    { path, text: `${text}\n## Results\n\n${sections.length > 0 ? sections.join('\n') : NOTHING}` },
    ...pictures.map((name) => ({
      path: `reference/pictures/${name}.svg`,
      text: readFileSync(pictureOf(name), 'utf8'),
    })),
  ]
}

const NOTHING =
  'Nothing was measured where this site was built. The commands above measure it on your machine.\n'

/**
 * When and by what, if the result says so.
 * @param {string} name
 */
function whenMeasured(name) {
  const result = readJson(join(RESULTS, `${name}.json`))
  if (result === undefined) return ''
  const { measuredAt, environment } = result
  return `${String(measuredAt).slice(0, 10)}, ${environment.runtime}, ${environment.processor}.\n\n`
}

/** @param {string} name */
function pictureOf(name) {
  return join(RESULTS, `${name}.svg`)
}

/** @returns {Ratio[]} */
function readRatios() {
  return readJson(join(RESULTS, 'summary.json')) ?? []
}

/**
 * Nothing for a file that is not there, or that a run has left half written.
 * @param {string} file
 */
function readJson(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    if (error instanceof SyntaxError || /** @type {NodeJS.ErrnoException} */ (error).code === 'ENOENT')
      return undefined
    throw error
  }
}

/** @param {readonly Ratio[]} ratios */
function tableOf(ratios) {
  const rows = ratios.map(
    ({ title, contender, judgedBy, ratio }) =>
      `| ${title} | ${contender} | ${judgedBy} | ${ratio.toFixed(2)} |`,
  )
  return `| what | measured | beside | ratio of time |\n| --- | --- | --- | ---: |\n${rows.join('\n')}\n`
}
