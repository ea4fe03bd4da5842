/** Longest piece of a site's text in one finding, in UTF-16 code units. */
export const MAX_TEXT_LENGTH = 500

/**
 * Text of a stranger, fit to be printed: bounded in length and without anything that a terminal, an editor or an XML
 * parser would act on. Controls, bidirectional and invisible formatting, lone surrogates and noncharacters become a
 * visible `\uXXXX`.
 */
export function visibleText(text: string, maxLength: number = MAX_TEXT_LENGTH): string {
  const bounded =
    text.length > maxLength ? `${cutAt(text, maxLength)}… (${text.length - maxLength} more)` : text
  return bounded.replace(UNPRINTABLE, escapeCodePoint)
}

/** A value as JSON text for people and programs: the same data, with what `visibleText` makes visible escaped as JSON does. */
export function visibleJson(value: unknown): string {
  const text = JSON.stringify(value, null, 2)
  return `${text.replace(UNPRINTABLE, (character) => (character === '\n' ? character : escapeUnits(character)))}\n`
}

/** JSON has no form for code points beyond U+FFFF but their two halves (RFC 8259, section 7). */
function escapeUnits(character: string): string {
  return character
    .split('')
    .map((unit) => escapeCodePoint(unit))
    .join('')
}

/** The visible form of one code point: `\u0007`, `\u{1fffe}`. */
export function escapeCodePoint(character: string): string {
  const hex = (character.codePointAt(0) ?? 0).toString(16)
  return hex.length > 4 ? `\\u{${hex}}` : `\\u${hex.padStart(4, '0')}`
}

/** Controls, format characters, whatever has no shape, lone surrogates, line and paragraph separators, noncharacters. */
const UNPRINTABLE =
  /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}]/gu

/** Does not cut a surrogate pair in two. */
function cutAt(text: string, length: number): string {
  const last = text.charCodeAt(length - 1)
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? length - 1 : length)
}
