/** Controls but for white space, direction and invisible characters, and what is no character: none is text to show. */
const UNSAFE = /[^\P{Cc}\s]|[\p{Cf}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}]/gu

/** Text that a site wrote, made safe to show: one line, no control or direction characters, at most `maxLength` characters. */
export function cleanText(text: string, maxLength: number): string {
  const bounded = text.length > maxLength * 4 ? text.slice(0, maxLength * 4) : text
  const line = wellFormed(bounded)
    .replace(UNSAFE, '')
    .replace(/[\s\u2028\u2029]+/gu, ' ')
    .trim()
  if (line.length <= maxLength) return line
  return `${line.slice(0, maxLength - 1).replace(/\p{Surrogate}$/u, '')}…`
}

/** Lone surrogates become U+FFFD. */
export function wellFormed(text: string): string {
  return text.replace(/\p{Surrogate}/gu, '\ufffd')
}

/** Such text inside Markdown: no character of it is markup. */
export function escapeMarkdown(text: string): string {
  return text.replace(/[\\`*_{}[\]()#+\-.!|<>~&:@$^=]/g, (character) => `\\${character}`)
}
