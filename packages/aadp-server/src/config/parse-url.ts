/** `undefined` for text that is no URL; `URL.parse` as Node 20 does not have it yet. */
export function parseUrl(text: string, base?: string): URL | undefined {
  return URL.canParse(text, base) ? new URL(text, base) : undefined
}
