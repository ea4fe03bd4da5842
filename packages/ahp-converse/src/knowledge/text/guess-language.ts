/** The language that most texts of a script are in, for documents that do not name theirs. */
const SCRIPTS: readonly (readonly [tag: string, script: RegExp])[] = [
  // Japanese is written with Han characters too, so it comes before Chinese.
  ['ja', /[\p{Script=Hiragana}\p{Script=Katakana}]/gu],
  ['zh', /\p{Script=Han}/gu],
  ['ko', /\p{Script=Hangul}/gu],
  ['ru', /\p{Script=Cyrillic}/gu],
  ['ar', /\p{Script=Arabic}/gu],
  ['th', /\p{Script=Thai}/gu],
  ['el', /\p{Script=Greek}/gu],
  ['he', /\p{Script=Hebrew}/gu],
  ['hi', /\p{Script=Devanagari}/gu],
  ['ta', /\p{Script=Tamil}/gu],
  ['hy', /\p{Script=Armenian}/gu],
]
const SAMPLE_LENGTH = 2000
const NOT_LATIN = /[^\0-\u024f]/

/** The language by the script of the beginning; undefined where it is Latin, which so many share. */
export function guessLanguage(text: string): string | undefined {
  const sample = text.slice(0, SAMPLE_LENGTH)
  if (!NOT_LATIN.test(sample)) return undefined
  const letters = sample.match(/\p{L}/gu)?.length ?? 0
  return SCRIPTS.find(([, script]) => (sample.match(script)?.length ?? 0) > letters / 5)?.[0]
}
