/** Control and direction characters, with which a site could rewrite what the terminal shows. */
const UNSAFE = /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]+/gu

/** Text of a site on one line of a terminal, at most so many characters of it. */
export function plainText(text: string, maxLength = 200): string {
  const safe = text.replace(UNSAFE, ' ').trim()
  return safe.length > maxLength ? `${safe.slice(0, maxLength - 1)}…` : safe
}
