/** Text for element content and quoted attribute values, in ASCII: right in whatever charset a page is. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']|[^\x20-\x7e]/gu, (character) => `&#${character.codePointAt(0) ?? 0};`)
}
