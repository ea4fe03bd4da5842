/** More is cut off wherever descriptions are shown. */
const MOST_CHARACTERS = 200

const NO_PROSE = [
  /^---\n[^]*?\n---\n/, // front matter
  /^ *(`{3,}|~{3,})[^]*?^ *\1[`~]*$/gm, // code
  /<!--[^]*?-->/g,
]
/** No heading, table, list or the like, and no mere word between two blocks of code. */
const PARAGRAPH = /^(?![#|<:>-]|\d+\. )\S.{24}/
/** Up to the first end of a sentence that leaves more than a word such as `Context.` */
const SENTENCE = /^[^]{20}[^]*?[.!?:](?=\s|$)|^[^]*$/

/** The first sentence of a page as plain text, or else its title. */
export function firstSentence(markdown: string): string {
  const text = NO_PROSE.reduce((rest, part) => rest.replace(part, ''), markdown)
  const paragraph = text.split(/\n\s*\n/).find((part) => PARAGRAPH.test(part.trim()))
  if (paragraph === undefined) return plain(/^# (.*)$/m.exec(text)?.[1] ?? '')
  const [sentence = ''] = SENTENCE.exec(plain(paragraph)) ?? []
  return shortened(sentence.replace(/:$/, '.'))
}

function shortened(sentence: string): string {
  return sentence.length <= MOST_CHARACTERS
    ? sentence
    : `${sentence.slice(0, MOST_CHARACTERS).replace(/\s+\S*$/, '')} …`
}

/** Without what marks links, code and emphasis. */
function plain(markdown: string): string {
  return markdown
    .replace(/ ?\{#[^}]*\}/g, '')
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/\*\*|`|(?<!\w)_|_(?!\w)|\\(?=[^\w\s])/g, '')
    .replace(/\s+/g, ' ')
    .trim()
}
