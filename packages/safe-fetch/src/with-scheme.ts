const SCHEME = /^[a-z][a-z0-9+.-]*:\/\//i
const ON_THIS_MACHINE = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?:[:/]|$)/i

/**
 * The URL that people mean who type a host: one of https, and on their own machine of the http that programs under
 * development speak. For command lines; what has a scheme is given back as it is, and nothing is judged.
 */
export function withScheme(typed: string): string {
  if (SCHEME.test(typed)) return typed
  return (ON_THIS_MACHINE.test(typed) ? 'http://' : 'https://') + typed
}
