import { cutText } from '../cut-text.js'
import { HIDDEN_CHARACTERS } from '../hidden-characters.js'

/** What is longer, or more, than anybody reads on a terminal; `--json` has all of it. */
const MAX_TEXT_LENGTH = 200_000
const MAX_ROWS = 100
const CONTROLS = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]+/gu

/** Text of a site on one line of a terminal, at most so many characters of it. */
export function plainLine(text: string, maxLength = 300): string {
  return cutText(shown(cutText(text, 8 * maxLength)).trim(), maxLength)
}

/** Text of a site with its line breaks. */
export function plainText(text: string): string {
  const lines = cutText(text, MAX_TEXT_LENGTH).split(/\r\n|[\n\r\u2028\u2029]/)
  return lines.map((line) => shown(line).trimEnd()).join('\n')
}

/** The same data as JSON, with what could rewrite a terminal escaped; JSON itself leaves U+0080 and above as it is. */
export function plainJson(data: unknown): string {
  const escaped = (hidden: string): string =>
    hidden === '\n'
      ? hidden
      : hidden.replace(/[^]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
  return `${JSON.stringify(data, null, 2).replace(HIDDEN_CHARACTERS, escaped)}\n`
}

/** Rows of cells with text of a site, the cells of a column equally wide. */
export function columns(rows: readonly (readonly string[])[]): string {
  const widths: number[] = []
  const shownRows = rows.slice(0, MAX_ROWS).map((row) => row.map((cell) => plainLine(cell, 2_000)))
  for (const row of shownRows)
    for (const [at, cell] of row.entries()) widths[at] = Math.max(widths[at] ?? 0, cell.length)
  const lines = shownRows.map((row) =>
    row
      .map((cell, at) => cell.padEnd(widths[at] ?? 0))
      .join('  ')
      .trimEnd(),
  )
  if (rows.length > MAX_ROWS) lines.push(`… and ${rows.length - MAX_ROWS} more`)
  return lines.map((line) => `  ${line}\n`).join('')
}

function shown(text: string): string {
  return text.replace(CONTROLS, ' ').replace(HIDDEN_CHARACTERS, '')
}
