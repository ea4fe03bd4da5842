import type { Comparison } from './report.js'
import type { Result } from './results.js'

const WIDTH = 720
const LABEL_WIDTH = 260
const BAR_WIDTH = WIDTH - LABEL_WIDTH - 70
const ROW = 22
const STYLE = `text{font:13px system-ui,sans-serif;fill:#1f2328}.title{font-weight:600}.bar{fill:#0969da}.judge{fill:#8c959f}
@media(prefers-color-scheme:dark){text{fill:#e6edf3}.bar{fill:#4493f8}.judge{fill:#6e7681}}`

/** A picture of one benchmark: a bar for each contender, as long as its time over that of what it is judged by, which is 1. */
export function chartOf({ name, comparisons }: Result): string | undefined {
  const groups = comparisons.filter(({ limit, baseline }) => (limit ?? baseline) !== undefined)
  if (groups.length === 0) return undefined
  let y = 0
  const parts = groups.map((comparison) => {
    const part = `<g transform="translate(0 ${y})">${groupOf(comparison)}</g>`
    y += (comparison.measurements.length + 2) * ROW
    return part
  })
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${y}" role="img" aria-label="${escapeXml(`Ratios of the benchmark ${name}`)}"><style>${STYLE}</style>${parts.join('')}</svg>\n`
}

function groupOf({ title, measurements, limit, baseline }: Comparison): string {
  const judge = limit ?? baseline
  const judgeUs = measurements.find(({ name }) => name === judge)?.wallUs.median ?? NaN
  const ratios = measurements.map(({ name, wallUs }) => ({ name, ratio: wallUs.median / judgeUs }))
  const longest = Math.max(...ratios.map(({ ratio }) => ratio))
  const rows = ratios.map(({ name, ratio }, index) => {
    const y = (index + 1) * ROW
    const width = Math.max(1, Math.round((BAR_WIDTH * ratio) / longest))
    const kind = name === judge ? 'judge' : 'bar'
    return (
      `<text x="${LABEL_WIDTH - 8}" y="${y + 15}" text-anchor="end">${escapeXml(shortened(name))}</text>` +
      `<rect class="${kind}" x="${LABEL_WIDTH}" y="${y + 3}" width="${width}" height="${ROW - 6}" rx="3"/>` +
      `<text x="${LABEL_WIDTH + width + 6}" y="${y + 15}">${ratio.toFixed(2)}</text>`
    )
  })
  return `<text class="title" x="0" y="15">${escapeXml(title)}</text>${rows.join('')}`
}

function shortened(name: string): string {
  return name.length > 34 ? `${name.slice(0, 33)}…` : name
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
}
