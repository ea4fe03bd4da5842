import { primaryTag } from '../text/language.js'
import { PHRASES } from './phrases-by-language.js'
import type { Phrases } from './phrases.js'

/** In the language of a BCP 47 tag, else in English. */
export function phrasesFor(
  tag: string | undefined,
  own: Readonly<Record<string, Partial<Phrases>>>,
): Phrases {
  const primary = tag === undefined ? 'en' : primaryTag(tag)
  const known = Object.hasOwn(PHRASES, primary) ? PHRASES[primary] : undefined
  const given = Object.hasOwn(own, primary) ? own[primary] : undefined
  return { ...(known ?? PHRASES['en']), ...given } as Phrases
}
