import { createSafeFetch, isSafeFetchError, type SafeFetch } from '@doorplate/safe-fetch'
import { INSPECTED_PORTS } from './inspected-url.js'
import { ownAuthorities } from './own-authorities.js'
import { InspectionRefusal } from './refusal.js'

/** The one place of a private network that is inspected: this server itself. */
export interface OwnSite {
  readonly origin: string
  /** Its certificate, PEM, where it speaks https itself. */
  readonly cert?: string | undefined
  /** Header fields by which it knows what it asks itself. */
  readonly headers?: Readonly<Record<string, string>> | undefined
}

const LIMITS = { timeoutMs: 10_000, connectTimeoutMs: 5000, maxResponseBytes: 2_097_152, maxRedirects: 5 }

/** A fetch for one site: for public addresses, or for this server alone. Throws `InspectionRefusal`. */
export function openFetch({ origin }: URL, own: OwnSite): SafeFetch {
  if (origin !== own.origin) return createSafeFetch({ ...LIMITS, allowedPorts: INSPECTED_PORTS })
  const { protocol, hostname, port } = new URL(origin)
  const host = `${hostname}:${port === '' ? (protocol === 'https:' ? '443' : '80') : port}`
  const ca = ownAuthorities(own.cert)
  const credentials = { [origin]: own.headers ?? {} }
  try {
    return createSafeFetch({ ...LIMITS, dangerouslyAllow: [host], credentials, ...(ca && { ca }) })
  } catch (error) {
    if (!isSafeFetchError(error) || error.option !== 'dangerouslyAllow') throw error
    throw new InspectionRefusal('port', 'This server is on a port that no HTTP client speaks to.')
  }
}

/** Resolves where the site may be asked as its name stands now. Throws `InspectionRefusal`. */
export async function checkPlace(fetch: SafeFetch, url: URL): Promise<void> {
  try {
    await fetch.check(url)
  } catch (error) {
    if (!isSafeFetchError(error)) throw error
    const isRefused = error.code === 'blocked' || error.code === 'invalid_url'
    if (isRefused && error.reason !== 'port')
      throw new InspectionRefusal('not_public', 'This server only goes to public sites, and to itself.')
    if (isRefused) throw new InspectionRefusal('port', 'Nothing is inspected on this port.')
    throw new InspectionRefusal(
      'unknown_host',
      'No address is known of this name. It may be misspelt, or this server has no network now.',
    )
  }
}
