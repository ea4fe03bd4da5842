/** Markup that is safe to send: made by `html`, which escapes every value, or vouched for by `trustedHtml`. */
export class Html {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

export type HtmlValue = Html | string | number | undefined | readonly HtmlValue[]

/** Template tag: text is escaped, `Html` is kept, lists are joined, `undefined` is left out; lines are not indented. */
export function html(strings: TemplateStringsArray, ...values: readonly HtmlValue[]): Html {
  const [first = '', ...rest] = withoutIndentation(strings)
  let text = first
  for (const [place, value] of values.entries()) text += markupOf(value) + (rest[place] ?? '')
  return new Html(text)
}

const plain = new WeakMap<TemplateStringsArray, readonly string[]>()

/** A third of a page would be indentation. */
function withoutIndentation(strings: TemplateStringsArray): readonly string[] {
  const known = plain.get(strings) ?? strings.map((text) => text.replace(/\n\s+/g, '\n'))
  plain.set(strings, known)
  return known
}

export function trustedHtml(text: string): Html {
  return new Html(text)
}

function markupOf(value: HtmlValue): string {
  if (value === undefined) return ''
  if (value instanceof Html) return value.text
  if (typeof value === 'object') return value.map(markupOf).join('')
  return String(value).replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}
