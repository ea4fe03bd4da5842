/** Characters that are not seen, or change how those around them are. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\u2028\u2029]+/gu

/** What a site wrote, to be shown: one line of bounded length that looks like what it is. */
export function foreignText(text: unknown, maxLength: number = 200): string {
  const line = (typeof text === 'string' ? text : '')
    .slice(0, 4 * maxLength)
    .replace(UNSEEN, ' ')
    .trim()
  return line.length > maxLength ? `${line.slice(0, maxLength - 1)}…` : line
}
