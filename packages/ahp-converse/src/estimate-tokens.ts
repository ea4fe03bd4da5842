const DENSE =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/gu
const NOT_LATIN = /[^\0-\u024f]/gu

/** About how many tokens a model counts: four Latin letters are one, two of other alphabets, one of dense scripts. */
export function estimateTokens(text: string): number {
  const dense = text.match(DENSE)?.length ?? 0
  const notLatin = (text.match(NOT_LATIN)?.length ?? 0) - dense
  return Math.ceil((text.length - dense - notLatin) / 4 + notLatin / 2 + dense)
}
