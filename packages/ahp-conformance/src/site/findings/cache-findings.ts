import type { Finding } from '@doorplate/conformance-kit'
import { rule } from '../../requirements.js'
import type { Reading } from '../reading.js'

/**
 * Whether a cache between the site and others may keep an answer (RFC 9111, sections 3 and 4.2). The specification has
 * no word on it, so it warns: what is kept is given to whom it was not for, or says still that the work is not done.
 */
export function cacheFindings({ headers, url, endpoint, request, status = 0 }: Reading): readonly Finding[] {
  if (status >= 300) return []
  const kept = keptBy(headers, request.method ?? 'GET')
  if (kept === undefined) return []
  const number = endpoint === 'status' ? 'R-079' : 'SES-001'
  const message = `${endpoint === 'status' ? 'The state of work' : 'An answer'} may be kept by caches: ${kept}.`
  return [{ requirement: rule(number), url, message, advisory: true }]
}

/** What lets a shared cache keep a response, or any cache at its own discretion. */
function keptBy(headers: Reading['headers'], method: string): string | undefined {
  const { 'cache-control': control, expires } = headers
  const directives = (control ?? '')
    .toLowerCase()
    .split(',')
    .map((directive) => directive.trim())
  if (directives.some((directive) => /^(?:no-store|no-cache|private)(?:$|=)/.test(directive)))
    return undefined
  const isLasting = directives.some((directive) =>
    /^(?:public|s-maxage="?[1-9].*|max-age="?[1-9].*)$/.test(directive),
  )
  if (isLasting) return `Cache-Control is ${control ?? ''}`
  if (directives.some((directive) => /^(?:s-maxage|max-age)=/.test(directive))) return undefined
  const expiresAtMs = Date.parse(expires ?? '')
  const sentAtMs = Date.parse(headers['date'] ?? '')
  if (expiresAtMs > sentAtMs) return `Expires is ${expires ?? ''}`
  return method === 'GET' && expires === undefined ? 'nothing says how long it is good for' : undefined
}
