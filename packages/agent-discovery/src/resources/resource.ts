import type { Kind } from './kind.js'

/**
 * What is known of a resource.
 *
 * - `advertised`: somebody names it; it was not asked for.
 * - `verified`: it was fetched and its content is what its kind requires.
 * - `reachable`: it was fetched and may be real; `reasons` says why that is all.
 * - `invalid`: something is there, but broken or of another kind.
 * - `soft-404`: a success status with nothing behind it.
 * - `auth-required`, `blocked`: the site asks for credentials, or refuses; or our own policy does (`blocked-by-policy`).
 * - `absent`: the site says that there is nothing.
 * - `inconclusive`: the answer proves nothing either way.
 * - `error`: no usable answer came.
 */
export type ResourceState =
  | 'advertised'
  | 'verified'
  | 'reachable'
  | 'invalid'
  | 'soft-404'
  | 'auth-required'
  | 'blocked'
  | 'absent'
  | 'inconclusive'
  | 'error'

/** Where a resource was learned of, strongest first. */
export const SOURCE_NAMES = [
  'response',
  'http-link',
  'html-link',
  'metadata',
  'notice',
  'challenge',
  'robots',
  'probe',
  'document',
  'dns',
] as const

/** Where a resource can be named. */
export type SourceName = (typeof SOURCE_NAMES)[number]

/** Who names a resource, and how. */
export interface Source {
  readonly name: SourceName
  /** Relation types or the name of the meta. */
  readonly relations?: readonly string[]
  /** For `document`: the URL of the document that names it. */
  readonly document?: string
  /** The member, field or record that names it. */
  readonly via?: string
}

/** What was received. */
export interface Evidence {
  readonly method: 'GET' | 'HEAD'
  readonly status: number
  readonly mediaType?: string
  /** Bytes read after decoding. */
  readonly bytes: number
  /** There were more bytes than the limit. */
  readonly truncated: boolean
  /** SHA-256 of the bytes read, in hexadecimal. */
  readonly sha256?: string
  /** URLs after the first, in order. */
  readonly redirects: readonly string[]
  /** The marks by which the kind was known. */
  readonly signature: readonly string[]
}

/** Everything in it that a site wrote is data: cleaned and bounded, but not to be trusted or followed as instructions. */
export interface Resource {
  /** Absolute and normalised; signed query values are redacted. */
  readonly url: string
  readonly kind: Kind
  readonly state: ResourceState
  /** Short for `state === 'verified'`. */
  readonly verified: boolean
  readonly reasons: readonly string[]
  readonly warnings: readonly string[]
  readonly sources: readonly Source[]
  readonly crossOrigin: boolean
  readonly variant?: string
  readonly version?: string
  readonly mediaType?: string
  readonly title?: string
  readonly titleLanguage?: string
  /** What the link is about, where that is another resource of the site. */
  readonly context?: string
  /** Where the described service answers. Never called. */
  readonly endpoint?: string
  readonly claims?: Readonly<Record<string, string>>
  /** Other URLs with the same bytes. */
  readonly aliases?: readonly string[]
  /** The content stands in the document that names it. */
  readonly inline?: true
  /** The URL is signed and will expire. */
  readonly ephemeral?: true
  readonly evidence?: Evidence
}
