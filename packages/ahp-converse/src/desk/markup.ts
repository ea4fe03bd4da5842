/** HTML that is safe to send: made by `markup`, which escapes whatever is not. */
export interface Markup {
  readonly html: string
}

type Part = Markup | string | number | false | undefined | readonly Part[]

/** Template tag: texts are escaped, also within quoted attributes; `false` and `undefined` are left out. */
export function markup({ raw }: TemplateStringsArray, ...parts: readonly Part[]): Markup {
  return { html: raw.map((text, place) => text + htmlOf(parts[place])).join('') }
}

/** The text of a script or a style sheet of our own. */
export function verbatim(html: string): Markup {
  return { html }
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

function htmlOf(part: Part): string {
  if (part === undefined || part === false) return ''
  if (typeof part === 'object') return isMarkup(part) ? part.html : part.map(htmlOf).join('')
  return String(part).replace(/[&<>"']/g, (sign) => ENTITIES[sign] ?? sign)
}

function isMarkup(part: Markup | readonly Part[]): part is Markup {
  return 'html' in part
}
