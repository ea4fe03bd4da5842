import { areHeaderFields, headerValue, type HeaderFields } from '../http/header-fields.js'
import { isHtmlType, parseMediaType } from '../http/media-type.js'
import { identify } from '../kinds/identify.js'
import { isHtml } from '../kinds/markup.js'
import { scanHtml } from '../meta/scan-html.js'
import { checkOption, isAbsentOr } from '../options/check-option.js'
import type { Resource } from '../resources/resource.js'
import { ResourceSet } from '../resources/resource-set.js'
import { decodeText } from '../http/decode-text.js'
import { redactUrl } from '../url/redact-url.js'
import { baseUrl } from '../url/web-url.js'
import { addOwnDocument, isForAgents, namedClaim } from './own-document.js'
import { readResponse, type ResponseReading } from './read-response.js'

/** What one response advertises. */
export interface ResponseDiscovery extends Omit<ResponseReading, 'claims'> {
  readonly url: string
  readonly resources: readonly Resource[]
}

/**
 * Finds what a response offers to agents, without any network: `Link` and `WWW-Authenticate` fields, usage preferences, and
 * an HTML body. A body that is itself a document for agents is identified. Nothing in the result was fetched, so that a
 * state is `advertised` for everything but that document.
 *
 * @param url the final URL of the response
 * @throws {AgentDiscoveryError} `invalid_option`, `invalid_url`
 */
export function fromResponse(
  url: string | URL,
  headers: HeaderFields,
  body?: string | Uint8Array,
): ResponseDiscovery {
  const base = baseUrl(url)
  checkOption('headers', areHeaderFields(headers), 'header fields: Headers, an object, or a list of pairs')
  checkOption('body', isAbsentOr('string', body) || (body as unknown) instanceof Uint8Array, 'text or bytes')
  const contentType = headerValue(headers, 'content-type')
  const mediaType = parseMediaType(contentType)?.essence
  const text = body === undefined || typeof body === 'string' ? (body ?? '') : decodeText(body, contentType)
  const page = mediaType === undefined ? isHtml(text) : isHtmlType(mediaType)
  const { claims, ...reading } = readResponse(
    base.href,
    headers,
    page ? scanHtml(text, { url: base }) : undefined,
  )

  const set = new ResourceSet(base)
  for (const claim of claims) set.claim(claim)
  const own = page || text === '' ? undefined : identify({ text, url: base.href, mediaType })
  if (own && isForAgents(own)) {
    addOwnDocument(set, base.href, own, mediaType)
    for (const item of own.named) set.claim(namedClaim(item, base.href))
  }
  return { url: redactUrl(base.href).url, resources: set.resources(), ...reading }
}
