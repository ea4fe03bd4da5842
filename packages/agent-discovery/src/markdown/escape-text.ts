/** Text in which no character is Markdown or HTML markup inside a line. */
export function escapeText(text: string): string {
  return text.replace(/[\\`*_[\]<>~|]/g, '\\$&').replace(/&(?=#?\w{1,32};)/g, '\\&')
}

/** The first characters of a line that would make it a heading, list, quote or rule. */
export function escapeLineStart(line: string): string {
  return line.replace(
    /^(\s*)(?:([#+=-])|(\d{1,9})([.)]))(?=[\s#+=-]|$)/,
    (_, space: string, mark?: string, number?: string, end?: string) =>
      mark === undefined ? `${space}${number ?? ''}\\${end ?? ''}` : `${space}\\${mark}`,
  )
}

/** Code inside a line, fenced by more backticks than it holds. */
export function inlineCode(text: string): string {
  const fence = '`'.repeat(longestRun(text) + 1)
  return `${fence} ${text} ${fence}`.replace(/^(`+) ([^`].*[^`]|[^`]) (`+)$/, '$1$2$3')
}

/** The longest run of backticks. */
export function longestRun(text: string): number {
  let longest = 0
  for (const run of text.match(/`+/g) ?? []) longest = Math.max(longest, run.length)
  return longest
}
