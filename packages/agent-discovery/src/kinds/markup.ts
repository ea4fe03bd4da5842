const MAX_PROLOGUE = 16_384

const HTML_ELEMENTS: ReadonlySet<string> = new Set([
  'html',
  'head',
  'body',
  'title',
  'meta',
  'link',
  'script',
  'style',
  'div',
  'center',
  'h1',
  'p',
])

/** Whether a text is an HTML page, whatever it was declared to be. */
export function isHtml(text: string): boolean {
  const start = text.slice(prologueEnd(text), MAX_PROLOGUE)
  return /^<!doctype\s+html/i.test(start) || HTML_ELEMENTS.has(firstElement(text).name)
}

/** The first element of an XML or HTML text: its name without prefix, in lower case, and its attributes as written. */
export function firstElement(text: string): { readonly name: string; readonly attributes: string } {
  const start = text.slice(prologueEnd(text), MAX_PROLOGUE).replace(/^<!doctype[^>]{0,1000}>\s*/i, '')
  const [, name = '', attributes = ''] = /^<(?:[\w-]{1,40}:)?([\w-]{1,40})([^>]{0,2000})/.exec(start) ?? []
  return { name: name.toLowerCase(), attributes }
}

/** The index after byte order mark, white space, comments and processing instructions. */
function prologueEnd(text: string): number {
  let position = 0
  while (position < MAX_PROLOGUE) {
    const [space = ''] = /^[\s\ufeff]*/.exec(text.slice(position, MAX_PROLOGUE)) ?? []
    position += space.length
    const close = text.startsWith('<!--', position)
      ? '-->'
      : text.startsWith('<?', position)
        ? '?>'
        : undefined
    if (close === undefined) return position
    const end = text.indexOf(close, position)
    if (end === -1) return text.length
    position = end + close.length
  }
  return position
}
