import { estimateTokens } from '../estimate-tokens.js'

const ELLIPSIS = '…'

/** The beginning of a text that has about so many tokens at most, cut after a word where there is one. */
export function withinTokens(text: string, maxTokens: number): string {
  if (text.length <= maxTokens || estimateTokens(text) <= maxTokens) return text
  let end = 0
  let tooLong = text.length
  // Invariant: the text up to `end` is short enough, up to `tooLong` it is not.
  while (tooLong - end > 1) {
    const middle = Math.floor((end + tooLong) / 2)
    if (estimateTokens(text.slice(0, middle) + ELLIPSIS) <= maxTokens) end = middle
    else tooLong = middle
  }
  const space = text.lastIndexOf(' ', end)
  const cut = text.slice(0, space > end / 2 ? space : end)
  return cut.replace(/[\ud800-\udbff]$/, '').trimEnd() + ELLIPSIS
}
