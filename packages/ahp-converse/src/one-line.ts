import { cutText } from './cut-text.js'
import { HIDDEN_CHARACTERS } from './hidden-characters.js'

/** What may hold words of a stranger, on one line of at most so many UTF-16 code units; it must not draw over others. */
export function oneLine(text: string, maxLength: number): string {
  return cutText(text.replace(HIDDEN_CHARACTERS, ' ').replace(/\s+/g, ' ').trim(), maxLength)
}
