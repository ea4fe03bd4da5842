import { escapeCodePoint } from '../visible-text.js'

/** Text content of an XML 1.0 element. What XML cannot hold even as a reference becomes a visible `\uXXXX`. */
export function xmlText(text: string): string {
  return legalXml(text).replace(/[&<>\r]/g, (character) => REFERENCES[character] ?? character)
}

/** An attribute value for double quotes; white space survives the normalisation of attributes (XML 1.0, 3.3.3). */
export function xmlAttribute(text: string): string {
  return legalXml(text).replace(/[&<>"\n\r\t]/g, (character) => REFERENCES[character] ?? character)
}

const REFERENCES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\n': '&#10;',
  '\r': '&#13;',
  '\t': '&#9;',
}

/** Everything outside of `Char` (XML 1.0, 2.2): most controls, lone surrogates, U+FFFE and U+FFFF. */
const ILLEGAL = /[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu

function legalXml(text: string): string {
  return text.replace(ILLEGAL, escapeCodePoint)
}
