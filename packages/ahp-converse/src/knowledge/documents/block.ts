/** A piece of a document in reading order, without markup. */
export type Block =
  | { readonly kind: 'prose'; readonly text: string }
  | { readonly kind: 'list'; readonly items: readonly string[]; readonly ordered: boolean }
  /** Never torn apart, and never quoted as if it were a sentence. */
  | { readonly kind: 'code'; readonly text: string; readonly syntax: string }

/** 1 to 6, as in HTML; `anchor` is the fragment that leads to it. */
export interface Heading {
  readonly kind: 'heading'
  readonly level: number
  readonly text: string
  readonly anchor: string | undefined
}

/** What a reader of a format found. */
export interface Outline {
  readonly title?: string | undefined
  readonly url?: string | undefined
  readonly language?: string | undefined
  readonly description?: string | undefined
  readonly parts: readonly (Block | Heading)[]
}

/** Control characters but tab and line ends; what turns the direction of text, hides in it or has no width (Cf, but the joiners). */
const INVISIBLE = /(?![\t\n\r\u200c\u200d])[\p{Cc}\p{Cf}]/gu

/** One line of text: white space collapsed, nothing invisible. */
export function tidy(text: string): string {
  return text.replace(INVISIBLE, '').replace(/\s+/g, ' ').trim()
}

/** Code, of which every space may count. */
export function tidyCode(text: string): string {
  return text.replace(INVISIBLE, '').replace(/\r\n?/g, '\n').replace(/^\n+/, '').trimEnd()
}
