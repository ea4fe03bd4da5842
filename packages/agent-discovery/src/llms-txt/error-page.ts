/** First headings of pages that say that there is nothing here. */
const NOT_FOUND: RegExp = new RegExp(
  [
    String.raw`(?:http )?(?:error[:\s-]*)?40[34](?=\W*$|\s*[^\w\s]|\s+(?:error|page|file|not|forbidden)\b)`,
    String.raw`(?:error[:\s-]*)?(?:(?:sorry|whoops)\W+)?(?:(?:the|this|that)\s+)?(?:requested\s+)?(?:(?:page|file|document|resource|route|url|path)\s+(?:/\S{0,200}\s+)?)?(?:(?:you\s+\w+(?:\s+\w+)?\s+)?(?:was|is|could|can)\s*)?(?:not (?:be )?found|n['\u2019]t (?:be )?found|cannot be found|(?:does not|doesn['\u2019]t) exist)\b`,
    String.raw`(?:sorry\W+)?we (?:can(?:not| not|['\u2019]t)|could(?: not|n['\u2019]t)) find\b`,
    String.raw`(?:access denied|forbidden|oops|whoops|page unavailable)(?=\W*$|\s*[^\w\s])`,
    'something went wrong',
  ]
    .map((pattern) => `^(?:${pattern})`)
    .join('|'),
  'i',
)

/** Whether a Markdown or text document is an error page served as if it were content. Looks at its first heading or line. */
export function isErrorPage(text: string): boolean {
  const [line = ''] = /\S[^\r\n]{0,300}/.exec(text.slice(0, 4096).replace(/^\ufeff/, '')) ?? []
  return NOT_FOUND.test(
    line
      .replace(/^#{1,6}\s*/, '')
      .replace(/[*_`]/g, '')
      .trim(),
  )
}
