/** Text of at most so many UTF-16 code units, its end marked where some is left out; never in the middle of a character. */
export function cutText(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text
  return `${text.slice(0, maxLength - 1).replace(/[\ud800-\udbff]$/, '')}…`
}
