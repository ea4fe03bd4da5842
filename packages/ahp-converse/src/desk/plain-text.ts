const CONTROLS =
  // eslint-disable-next-line no-control-regex -- control characters are what it is for
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069\u{e0000}-\u{e007f}]/gu

/** What a stranger wrote, without what would hide or reorder what is around it; line ends and tabs are kept. */
export function plainText(text: string): string {
  return text.replace(/\r\n?/g, '\n').replace(CONTROLS, '\ufffd')
}

/** The beginning of it, in one line. */
export function firstLine(text: string, maxLength: number): string {
  const line = plainText(text).replace(/\s+/g, ' ').trim()
  return line.length <= maxLength ? line : `${line.slice(0, maxLength - 1).replace(/[\ud800-\udbff]$/, '')}…`
}
