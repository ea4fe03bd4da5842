/** Text as one word of a POSIX shell, whoever wrote it: what is shown to be typed may be pasted. */
export function shellWord(text: string): string {
  return /^[\w@%+:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`
}
