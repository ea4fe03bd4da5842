/** An http or https URL without a user name, or undefined. */
export function webUrl(reference: string, base: string): URL | undefined {
  if (!URL.canParse(reference, base)) return undefined
  const url = new URL(reference, base)
  const isWeb = url.protocol === 'https:' || url.protocol === 'http:'
  return isWeb && url.username === '' && url.password === '' ? url : undefined
}

/** Such a URL that may be requested because a site named it: no way leads from https to http. */
export function siteUrl(reference: string, base: string): URL | undefined {
  const url = webUrl(reference, base)
  return url?.protocol === 'http:' && base.startsWith('https:') ? undefined : url
}

/** A URL for messages: what may hold a secret is left out. */
export function shownUrl(url: string | URL): string {
  const { origin, pathname } = new URL(url)
  return origin + pathname
}
