import type { Kind } from '../resources/kind.js'

/** A document as it was received. */
export interface ReceivedDocument {
  /** Its final URL. */
  readonly url: string
  /** Its media type, without parameters. */
  readonly mediaType?: string | undefined
  /** The kind that the path promises. */
  readonly promised?: Kind | undefined
}

/** Something that a document names. */
export interface NamedResource {
  /** Absolute; for content inside the document its URL with a JSON Pointer as fragment. */
  readonly url: string
  readonly kind: Kind
  /** The member that names it, e.g. `agent_auth.skill` or `entries`. */
  readonly via: string
  readonly title?: string
  readonly mediaType?: string
  /** The content stands in the document itself. */
  readonly inline?: true
}

/**
 * What a document is, decided by its content.
 *
 * - `verified`: it has the marks of its kind and what that kind requires.
 * - `reachable`: it has the marks, but nothing here can tell whether it is right; `reasons` says why.
 * - `invalid`: it is broken, or not what its path promises; `reasons` says how.
 */
export interface Identification {
  readonly kind: Kind
  readonly verdict: 'verified' | 'reachable' | 'invalid'
  /** The form of a kind that has several, e.g. `sep-2127`. */
  readonly variant?: string
  readonly version?: string
  /** The marks by which the kind was known. */
  readonly signature: readonly string[]
  readonly reasons: readonly string[]
  readonly warnings: readonly string[]
  /** Where the described service answers. Never called by this package. */
  readonly endpoint?: string
  /** What the document says of itself that could not be confirmed. */
  readonly claims?: Readonly<Record<string, string>>
  readonly named: readonly NamedResource[]
  /** Issuers of tokens for this resource; their metadata can be looked up. */
  readonly issuers?: readonly string[]
  /** Entries left out, with the reason. */
  readonly skipped?: readonly { readonly name: string; readonly why: string }[]
  /** The document also has the marks of these kinds. */
  readonly alternatives?: readonly Kind[]
}

type Finding = Partial<Omit<Identification, 'kind' | 'verdict'>>

export function verified(kind: Kind, finding: Finding): Identification {
  return { signature: [], reasons: [], warnings: [], named: [], ...finding, kind, verdict: 'verified' }
}

export function reachable(kind: Kind, reason: string, finding: Finding = {}): Identification {
  return {
    signature: [],
    warnings: [],
    named: [],
    ...finding,
    reasons: [reason, ...(finding.reasons ?? [])],
    kind,
    verdict: 'reachable',
  }
}

export function invalid(kind: Kind, reasons: readonly string[], finding: Finding = {}): Identification {
  return { signature: [], warnings: [], named: [], ...finding, reasons, kind, verdict: 'invalid' }
}

/** Verified where nothing is wrong, else invalid for the reasons given. */
export function judged(kind: Kind, reasons: readonly string[], finding: Finding): Identification {
  return reasons.length === 0 ? verified(kind, finding) : invalid(kind, reasons, finding)
}
