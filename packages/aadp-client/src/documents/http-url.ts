import { AadpTransportError } from '../errors.js'

/** An absolute http(s) URL without userinfo and fragment. Throws `blocked_url` for anything else. */
export function httpUrl(input: unknown): URL {
  const text = String(input)
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:') || url.username || url.password) {
    throw new AadpTransportError('blocked_url', url ? `${url.protocol}//${url.host}` : 'not an absolute URL')
  }
  if (url.hash) url.hash = ''
  return url
}
