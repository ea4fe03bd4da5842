import type { BodySource } from '../body/body-source.js'
import { contentDecoders } from '../body/content-decoders.js'
import { CountedBody, tooLarge } from '../body/counted-body.js'
import { DecodedBody } from '../body/decoded-body.js'
import { SafeFetchError } from '../errors.js'
import type { Hop } from './hop.js'
import type { Lifetime } from '../lifetime/lifetime.js'

/** What an encoding may add to a body: headers, checksums, stored blocks. */
const ENCODING_OVERHEAD_BYTES = 65_536

const NULL_BODY_STATUSES: ReadonlySet<number> = new Set([204, 205, 304])

export interface LimitedBody {
  /** True if the content coding is undone, so that `content-encoding` and `content-length` describe it no longer. */
  readonly isDecoded: boolean
  /** The decoded bytes, never more than the limit. */
  readonly body: BodySource
}

export function hasBody(hop: Hop, method: string): boolean {
  return method !== 'HEAD' && !NULL_BODY_STATUSES.has(hop.status)
}

/** True for a header field that no longer holds once the content coding is undone. */
export function describesWire(name: string): boolean {
  return name === 'content-encoding' || name === 'content-length'
}

/**
 * Puts the limit on decoded bytes, and one a little wider on what each coding decodes: a small body may grow at every
 * layer. Throws at once, and ends the hop, if the declared length says that the body is too long or if one of its codings
 * is not supported.
 */
export function limitBody(hop: Hop, method: string, limitBytes: number, lifetime: Lifetime): LimitedBody {
  try {
    if (hop.status > 599) throw new SafeFetchError('malformed_response', 'The status is not an HTTP status.')
    if (!hasBody(hop, method)) return { isDecoded: false, body: new CountedBody(hop, limitBytes, limitBytes) }
    requireChunkedAtMost(hop)
    const decoders = contentDecoders(hop.headers)
    const codedLimitBytes = limitBytes * 1.001 + ENCODING_OVERHEAD_BYTES
    const maxBytes = (layer: number): number => (layer === decoders.length ? limitBytes : codedLimitBytes)
    if (declaredLength(hop) > maxBytes(0)) throw tooLarge(limitBytes)
    let body = new CountedBody(hop, maxBytes(0), limitBytes)
    for (const [index, createDecoder] of decoders.entries()) {
      body = new CountedBody(new DecodedBody(body, createDecoder, lifetime), maxBytes(index + 1), limitBytes)
    }
    return { isDecoded: decoders.length > 0, body }
  } catch (error) {
    hop.cancel(error)
    throw error
  }
}

/** The parser undoes one `chunked`. Other transfer codings must be asked for with TE (RFC 9112, section 7.4); we never do. */
function requireChunkedAtMost({ headers }: Hop): void {
  const field = Object.hasOwn(headers, 'transfer-encoding') ? headers['transfer-encoding'] : undefined
  if (field === undefined || field === 'chunked') return
  const codings = String(field)
    .toLowerCase()
    .split(',')
    .map((coding) => coding.trim())
    .filter((coding) => coding !== '' && coding !== 'identity')
  if (codings.length === 0 || (codings.length === 1 && codings[0] === 'chunked')) return
  throw new SafeFetchError('unsupported_transfer_encoding', 'The transfer coding of the body is not chunked.')
}

function declaredLength(hop: Hop): number {
  const field = Object.hasOwn(hop.headers, 'content-length') ? hop.headers['content-length'] : undefined
  return typeof field === 'string' ? Number(field) : 0
}
