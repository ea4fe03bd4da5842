/** People type host names: https is meant, and on their own machine the http that programs under development speak. */
export function withScheme(url: string): string {
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(url)) return url
  return (isOnThisMachine(url) ? 'http://' : 'https://') + url
}

function isOnThisMachine(url: string): boolean {
  return /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?:[:/]|$)/i.test(url)
}
