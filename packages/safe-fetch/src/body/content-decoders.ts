import type { Transform } from 'node:stream'
import * as zlib from 'node:zlib'

import { DeflateDecoder } from './deflate-decoder.js'
import { SafeFetchError } from '../errors.js'
import type { RawHeaders } from '../header-list.js'

/** Content codings applied one over the other that are undone; more is an attack (CVE-2022-32206 and its kin). */
const MAX_CODINGS = 5

/** RFC 9659: a zstd window of 8 MB is what a decoder has to offer, and no more. */
const ZSTD_WINDOW_LOG_MAX = 23

export type CreateDecoder = () => Transform

const DECODERS: ReadonlyMap<string, CreateDecoder> = new Map<string, CreateDecoder>([
  ['gzip', () => zlib.createGunzip()],
  ['x-gzip', () => zlib.createGunzip()],
  ['deflate', () => new DeflateDecoder()],
  ['br', () => zlib.createBrotliDecompress()],
  ...zstdDecoder(),
])

/** Registered codings that this runtime cannot decode: failing is better than handing over bytes nobody expects. */
const UNSUPPORTED: ReadonlySet<string> = new Set(['compress', 'x-compress', 'zstd'])

export const DEFAULT_ACCEPT_ENCODING: string = ['gzip', 'deflate', 'br', 'zstd']
  .filter((coding) => DECODERS.has(coding))
  .join(', ')

/**
 * The decoders of a response's body in the order they apply; none if there is nothing to undo. A list with a token that
 * is no registered coding is left alone, as Fetch does. Throws `unsupported_content_encoding`.
 */
export function contentDecoders(headers: RawHeaders): readonly CreateDecoder[] {
  const field = Object.hasOwn(headers, 'content-encoding') ? headers['content-encoding'] : undefined
  if (field === undefined) return []
  const codings = String(field)
    .split(',')
    .map((coding) => coding.trim().toLowerCase())
    .filter((coding) => coding !== '' && coding !== 'identity')
  if (codings.length > MAX_CODINGS) throw unsupported()
  if (codings.some((coding) => !DECODERS.has(coding) && !UNSUPPORTED.has(coding))) return []
  return codings.toReversed().map((coding) => DECODERS.get(coding) ?? refuseCoding())
}

/** zstd came to Node with 22.15 and 23.8. */
function zstdDecoder(): [string, CreateDecoder][] {
  if (!('createZstdDecompress' in zlib)) return []
  const create = zlib.createZstdDecompress as (options: object) => Transform
  const windowLogMax = (zlib.constants as unknown as Record<string, number>)['ZSTD_d_windowLogMax']
  const params = windowLogMax === undefined ? {} : { [windowLogMax]: ZSTD_WINDOW_LOG_MAX }
  return [['zstd', () => create({ params })]]
}

function refuseCoding(): never {
  throw unsupported()
}

function unsupported(): SafeFetchError {
  return new SafeFetchError(
    'unsupported_content_encoding',
    'The content coding of the body cannot be decoded.',
  )
}
