/** Markup that is safe to send: made by `html`, which escapes every value, or vouched for by `trustedHtml`. */
export class Html {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

export type HtmlValue = Html | string | number | undefined | readonly HtmlValue[]

/** Template tag: text is escaped, `Html` is kept, lists are joined, `undefined` is left out. */
export function html(strings: TemplateStringsArray, ...values: readonly HtmlValue[]): Html {
  let text = strings[0] ?? ''
  for (const [place, value] of values.entries()) text += markupOf(value) + (strings[place + 1] ?? '')
  return new Html(text)
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
