/** The attributes worth reading, by element. A notice is a sectioning element, a paragraph or a `div`. */
const LABEL: ReadonlySet<string> = new Set(['aria-label'])
export const HREF: ReadonlySet<string> = new Set(['href'])
export const ATTRIBUTES: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ['link', new Set(['rel', 'href', 'type', 'title', 'hreflang'])],
  ['meta', new Set(['name', 'content'])],
  ['base', HREF],
  ['section', new Set(['aria-label', 'class'])],
  [
    'form',
    new Set([
      'aria-label',
      'toolname',
      'tool-name',
      'tooldescription',
      'tool-description',
      'toolautosubmit',
      'tool-autosubmit',
    ]),
  ],
  ...['article', 'aside', 'div', 'footer', 'header', 'main', 'nav', 'p'].map(
    (name) => [name, LABEL] as const,
  ),
])

/** Start tags that leave the head open. */
export const HEAD_ELEMENTS: ReadonlySet<string> = new Set([
  'html',
  'head',
  'title',
  'meta',
  'link',
  'base',
  'basefont',
  'bgsound',
  'script',
  'style',
  'noscript',
  'template',
  'noframes',
])
