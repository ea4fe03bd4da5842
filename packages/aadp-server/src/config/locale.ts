import { parseQualityValues } from './quality-values.js'

/** The part of BCP 47 that this package reads: subtags of 1 to 8 letters or digits, the first of 2 or 3 letters or more. */
const LOCALE_GRAMMAR = /^[a-zA-Z]{2,8}(?:-[a-zA-Z0-9]{1,8})*$/
const MAX_LOCALE_LENGTH = 63

export function isLocale(value: string): boolean {
  return value.length <= MAX_LOCALE_LENGTH && LOCALE_GRAMMAR.test(value)
}

export interface LocaleWish {
  /** The `locale` query parameter. */
  readonly locale: string | undefined
  /** The `Accept-Language` field. */
  readonly acceptLanguage: string | null
}

/**
 * The published locale that serves a request: the one asked for by query, else by `Accept-Language`, else the first
 * published. A wish is met by the same tag, or by a shorter one (`vi-VN` by `vi`, RFC 4647 section 3.4).
 */
export function negotiateLocale(published: readonly [string, ...string[]], wish: LocaleWish): string {
  if (wish.locale !== undefined) return lookUpLocale(published, wish.locale) ?? published[0]
  if (wish.acceptLanguage === null) return published[0]
  const ranges = parseQualityValues(wish.acceptLanguage)
    .filter((range) => range.quality > 0)
    .sort((a, b) => b.quality - a.quality)
  for (const range of ranges) {
    if (range.value === '*') return published[0]
    const found = lookUpLocale(published, range.value)
    if (found !== undefined) return found
  }
  return published[0]
}

function lookUpLocale(published: readonly string[], wish: string): string | undefined {
  if (wish.length > MAX_LOCALE_LENGTH) return undefined
  for (let tag = wish.toLowerCase(); tag !== ''; tag = tag.slice(0, Math.max(0, tag.lastIndexOf('-')))) {
    const found = published.find((locale) => locale.toLowerCase() === tag)
    if (found !== undefined) return found
  }
  return undefined
}
