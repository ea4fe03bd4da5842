/** Characters that are not seen, or change how those around them are; but for what gives an emoji its colours. */
const UNSEEN = /(?:(?!\ufe0f)[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}])+/gu

/** What a site wrote, to be shown: one line of bounded length that looks like what it is. */
export function foreignText(text: unknown, maxLength: number = 200): string {
  const line = (typeof text === 'string' ? text : '')
    .slice(0, 4 * maxLength)
    .replace(UNSEEN, ' ')
    .trim()
  if (line.length <= maxLength) return line
  return `${line.slice(0, maxLength - 1).replace(/[\ud800-\udbff]$/, '')}…`
}
