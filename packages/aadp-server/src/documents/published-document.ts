import { formatHttpDate } from './http-date.js'

/** What a response is made of, whatever server sends it. */
export interface CoreResponse {
  readonly status: number
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  /** Shared between responses: not to be written to. */
  readonly body: Uint8Array<ArrayBuffer> | null
}

/** A document ready to be sent, with the responses it can lead to. */
export interface PublishedDocument {
  /** Strong entity-tag, quotes included. */
  readonly etag: string
  /** `Last-Modified`. */
  readonly lastModifiedMs: number | undefined
  /** No other content was published after this moment; absent when no date says so. */
  readonly unchangedSinceMs: number | undefined
  /** 200 with the body. */
  readonly full: CoreResponse
  /** 200 with the headers of `full` alone. */
  readonly head: CoreResponse
  /** 304. */
  readonly notModified: CoreResponse
}

export interface DocumentDescription {
  readonly text: string
  readonly contentType: string
  /** Without quotes. */
  readonly tag: string
  readonly lastModifiedMs?: number | undefined
  /** Default: `lastModifiedMs`. */
  readonly unchangedSinceMs?: number | undefined
  readonly cacheControl: string
  /** Request fields that the choice of this document looked at. */
  readonly vary?: readonly string[]
  readonly contentLanguage?: string | undefined
  /** Further fields of the 200. */
  readonly headers?: Readonly<Record<string, string>>
}

/** Fields that a browser lets a page read, beyond the safelisted ones. */
const EXPOSED_HEADERS = 'Content-Length, ETag, Link, Retry-After, Vary, WWW-Authenticate'

/** On every response, so that a page of any origin can read what is public anyway. */
export const CORS_HEADERS: Readonly<Record<string, string>> = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': EXPOSED_HEADERS,
}

const encoder = new TextEncoder()

export function createDocument(description: DocumentDescription): PublishedDocument {
  const { lastModifiedMs, unchangedSinceMs = lastModifiedMs, contentLanguage, vary = [] } = description
  const etag = `"${description.tag}"`
  const validators = {
    etag,
    ...(lastModifiedMs !== undefined && { 'last-modified': formatHttpDate(lastModifiedMs) }),
    'cache-control': description.cacheControl,
    ...(vary.length > 0 && { vary: vary.join(', ') }),
    ...CORS_HEADERS,
  }
  const body = encoder.encode(description.text)
  const headers = {
    'content-type': description.contentType,
    'content-length': String(body.byteLength),
    ...(contentLanguage !== undefined && { 'content-language': contentLanguage }),
    ...validators,
    ...description.headers,
  }
  return {
    etag,
    lastModifiedMs,
    unchangedSinceMs,
    full: { status: 200, headers, body },
    head: { status: 200, headers, body: null },
    notModified: { status: 304, headers: validators, body: null },
  }
}
