/** Control and direction characters, with which a site could rewrite what the terminal shows. */
const UNSAFE = /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]+/gu

/** Text of a site on one line of a terminal, at most so many characters of it. */
export function plainLine(text: string, maxLength = 300): string {
  const safe = text.replace(UNSAFE, ' ').trim()
  return safe.length > maxLength ? `${safe.slice(0, maxLength - 1)}…` : safe
}

/** Text of a site with its line breaks. */
export function plainText(text: string): string {
  const lines = text.split(/\r\n|[\n\r\u2028\u2029]/)
  return lines.map((line) => line.replace(UNSAFE, ' ').trimEnd()).join('\n')
}

/** The same data as JSON, with what could rewrite a terminal escaped; JSON itself leaves U+0080 and above as it is. */
export function plainJson(data: unknown): string {
  const escaped = (characters: string): string =>
    Array.from(characters, (one) =>
      one === '\n' ? one : `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`,
    ).join('')
  return `${JSON.stringify(data, null, 2).replace(UNSAFE, escaped)}\n`
}

/** Rows of cells, the cells of a column equally wide. */
export function columns(rows: readonly (readonly string[])[]): string {
  const widths: number[] = []
  for (const row of rows)
    for (const [at, cell] of row.entries()) widths[at] = Math.max(widths[at] ?? 0, cell.length)
  return rows
    .map((row) => `  ${row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join('  ')}`.trimEnd() + '\n')
    .join('')
}
