import { loadLanguage, primaryTag, type Language } from '../text/language.js'

/** The languages that passages are in. A question is read in each of them, as nobody says which one it is in. */
export class LanguageSet {
  readonly #languages = new Map<string, Language>()

  async load(tag: string): Promise<Language> {
    const language = await loadLanguage(tag)
    this.#languages.set(language.tag, language)
    return language
  }

  /** Of a tag that was loaded, whatever its region. */
  get(tag: string): Language | undefined {
    return this.#languages.get(primaryTag(tag))
  }

  [Symbol.iterator](): Iterator<Language> {
    return this.#languages.values()
  }

  /** The terms that a question has in any of the languages, each once. */
  terms(question: string): string[] {
    const terms = new Set<string>()
    for (const language of this.#languages.values())
      for (const term of language.terms(question)) terms.add(term)
    return [...terms]
  }
}
