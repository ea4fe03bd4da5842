/** Whether JSON text nests deeper than a limit. Reads brackets only, in one pass; the text need not be valid. */
export function isDeeperThan(text: string, maxDepth: number): boolean {
  let depth = 0
  let quoted = false
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (quoted) {
      if (code === BACKSLASH) index++
      else if (code === QUOTE) quoted = false
    } else if (code === QUOTE) quoted = true
    else if (code === BRACKET || code === BRACE) {
      if (++depth > maxDepth) return true
    } else if (code === END_BRACKET || code === END_BRACE) depth--
  }
  return false
}

const QUOTE = 0x22
const BACKSLASH = 0x5c
const BRACKET = 0x5b
const END_BRACKET = 0x5d
const BRACE = 0x7b
const END_BRACE = 0x7d
