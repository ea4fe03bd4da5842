import { estimateTokens } from '../estimate-tokens.js'

const ELLIPSIS = '…'
/** No token is estimated to be longer. */
const MAX_TOKEN_LENGTH = 4

/** The beginning of a text that has about so many tokens at most, cut after a word where there is one. */
export function withinTokens(text: string, maxTokens: number): string {
  const mayFit = text.length <= maxTokens * MAX_TOKEN_LENGTH
  if (text.length <= maxTokens || (mayFit && estimateTokens(text) <= maxTokens)) return text
  let end = 0
  let tooLong = Math.min(text.length, maxTokens * MAX_TOKEN_LENGTH + 1)
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
