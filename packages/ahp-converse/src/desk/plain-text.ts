import { cutText } from '../cut-text.js'
import { HIDDEN_CHARACTERS } from '../hidden-characters.js'

/** What a stranger wrote, without what would hide or reorder what is around it; line ends and tabs are kept. */
export function plainText(text: string): string {
  const lines = text.replace(/\r\n?/g, '\n')
  return lines.replace(HIDDEN_CHARACTERS, (hidden) => (/[\t\n]/.test(hidden) ? hidden : '\ufffd'))
}

/** The beginning of it, in one line. */
export function firstLine(text: string, maxLength: number): string {
  return cutText(plainText(text).replace(/\s+/g, ' ').trim(), maxLength)
}
