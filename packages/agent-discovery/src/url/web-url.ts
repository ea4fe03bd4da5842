import { AgentDiscoveryError } from '../errors.js'

/** Why a reference is not followed or reported. */
export type UrlProblem = 'invalid-url' | 'not-http' | 'userinfo' | 'url-too-long'

export type ResolvedUrl = { readonly url: URL } | { readonly problem: UrlProblem }

/** Characters of an absolute URL; longer ones are dropped with a reason. */
const MAX_URL_LENGTH = 4096

/** Resolves a reference that a site wrote. Only http and https without user information pass. */
export function resolveWebUrl(reference: string, base: string | URL): ResolvedUrl {
  if (reference.length > MAX_URL_LENGTH) return { problem: 'url-too-long' }
  const url = parseUrl(reference, base)
  if (url === null) return { problem: 'invalid-url' }
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return { problem: 'not-http' }
  if (url.username !== '' || url.password !== '') return { problem: 'userinfo' }
  if (url.href.length > MAX_URL_LENGTH) return { problem: 'url-too-long' }
  return { url }
}

/**
 * A URL that the caller gave: http or https, without user information and fragment.
 *
 * @throws {AgentDiscoveryError} `invalid_url`
 */
export function baseUrl(value: string | URL): URL {
  const url = parseUrl(value)
  if (url?.protocol !== 'https:' && url?.protocol !== 'http:') {
    throw new AgentDiscoveryError('invalid_url', 'The URL must be an absolute http or https URL.')
  }
  url.username = ''
  url.password = ''
  url.hash = ''
  return url
}

/** The URL as it is requested: without its fragment. */
export function requestUrl(url: string | URL): string {
  const { href, hash } = new URL(url)
  const end = hash === '' ? href.length : href.length - hash.length
  return href.slice(0, end).replace(/#$/, '')
}

function parseUrl(reference: string | URL, base?: string | URL): URL | null {
  try {
    return new URL(reference, base)
  } catch {
    return null
  }
}
