/** First headings of pages that say that there is nothing here. */
const NOT_FOUND =
  /^(?:(?:error[:\s-]*)?40[34]\b|(?:(?:the |this )?(?:page|file|document|resource|route|url)\s+)?(?:(?:was |is |could |can )?not (?:be )?found|cannot be found|(?:does not|doesn't) exist)|not found|access denied|forbidden|oops|something went wrong|page unavailable|we can(?:no|')t find)/i

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
