/** Controls, line separators, bidirectional overrides, invisible joiners and tag characters: none is text to show. */
const UNSAFE: RegExp = new RegExp(
  '[\\u0000-\\u0008\\u000b\\u000e-\\u001f\\u007f-\\u009f\\u00ad\\u061c\\u180e\\u200b-\\u200f\\u202a-\\u202e\\u2060-\\u206f' +
    '\\ufeff\\ufff9-\\ufffb\\u{e0000}-\\u{e007f}]',
  'gu',
)

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
