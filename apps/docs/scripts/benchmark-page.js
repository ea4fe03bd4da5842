/** What was measured: the method, and the last results as pictures where there are any. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { projectRoot } from './project.js'
import { repositoryPage } from './repository-page.js'

const RESULTS = join(projectRoot, 'bench/results')

/**
 * @typedef {{ readonly name: string, readonly wallUs: { readonly median: number } }} Measurement
 * @typedef {{ readonly title: string, readonly baseline?: string, readonly limit?: string, readonly measurements: readonly Measurement[] }} Comparison
 * @typedef {{ readonly name: string, readonly measuredAt: string, readonly environment: { readonly runtime?: string, readonly processor?: string }, readonly comparisons: readonly Comparison[] }} Result
 */

/** @returns {import('./repository-page.js').Page} */
export function benchmarkPage() {
  const { path, text } = repositoryPage('bench/README.md')
  return { path, text: `${text}\n## Results\n\n${resultsText(readResults())}` }
}

/** @returns {Result[]} */
function readResults() {
  if (!existsSync(RESULTS)) return []
  return readdirSync(RESULTS)
    .filter((file) => file.endsWith('.json'))
    .map((file) => JSON.parse(readFileSync(join(RESULTS, file), 'utf8')))
    .filter((result) => Array.isArray(result.comparisons) && result.comparisons.length > 0)
}

/** @param {readonly Result[]} results */
function resultsText(results) {
  if (results.length === 0)
    return 'Nothing was measured where this site was built. The commands above measure it on your machine.\n'
  return results
    .map(({ name, measuredAt, environment, comparisons }) => {
      const charts = comparisons.map((comparison) => `<figure>${chart(comparison)}</figure>`)
      const where = [environment.runtime, environment.processor].filter(Boolean).join(', ')
      return `### ${name}\n\n${measuredAt.slice(0, 10)}, ${where}.\n\n${charts.join('\n')}\n`
    })
    .join('\n')
}

const ROW = 26
const LABEL = 300
const WIDTH = 720

/**
 * Bars of time, as multiples of the fastest: shorter is better.
 * @param {Comparison} comparison
 */
function chart({ title, measurements }) {
  const fastest = Math.min(...measurements.map(({ wallUs }) => wallUs.median))
  const slowest = Math.max(...measurements.map(({ wallUs }) => wallUs.median))
  const scale = (WIDTH - LABEL - 70) / (slowest / fastest)
  const bars = measurements.map(({ name, wallUs }, index) => {
    const ratio = wallUs.median / fastest
    const y = index * ROW + 34
    return `<text x="${LABEL - 10}" y="${y + 13}" text-anchor="end">${escapeHtml(name)}</text><rect x="${LABEL}" y="${y}" width="${(ratio * scale).toFixed(1)}" height="18" rx="2"/><text x="${(LABEL + ratio * scale + 8).toFixed(1)}" y="${y + 13}">×${ratio.toFixed(2)}</text>`
  })
  const height = measurements.length * ROW + 40
  const label = `${title}: ${measurements.map(({ name, wallUs }) => `${name} ${(wallUs.median / fastest).toFixed(2)}`).join(', ')}`
  return `<svg class="chart" viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="${escapeHtml(label)}"><text class="title" x="0" y="18">${escapeHtml(title)}: time, as a multiple of the fastest</text>${bars.join('')}</svg>`
}

/** @param {string} text */
function escapeHtml(text) {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('"', '&quot;')
    .replaceAll('{{', '{ {')
}
