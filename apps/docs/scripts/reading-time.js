/** How long a text takes to read: its sentences are read; code and tables are for looking things up. */

const WORDS_PER_MINUTE = 240

const FENCED_CODE = /^ *(`{3,}|~{3,})[^]*?^ *\1[`~]*$/gm
const COMMENT = /<!--[^]*?-->/g
const TABLE_ROW = /^ *\|.*\|$/gm
const LINK_TARGET = /(?<=\])\([^)\s]*\)/g

/**
 * What to say of a text that takes longer than it may.
 * @param {string} markdown
 * @param {{ readonly maxMinutes: number }} options
 * @returns {string | undefined}
 */
export function tooLongToRead(markdown, { maxMinutes }) {
  const words = proseWords(markdown)
  const maxWords = maxMinutes * WORDS_PER_MINUTE
  return words > maxWords
    ? `${words} words of prose where ${maxWords} take ${maxMinutes} minutes: move some into docs/`
    : undefined
}

/**
 * Words outside of code blocks, tables and comments. Marks such as `-` and `##` are no words, nor is where a link leads.
 * @param {string} markdown
 */
export function proseWords(markdown) {
  const prose = [FENCED_CODE, COMMENT, TABLE_ROW, LINK_TARGET].reduce(
    (text, notRead) => text.replaceAll(notRead, ' '),
    markdown,
  )
  return prose.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length
}
