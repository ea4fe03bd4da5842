import { cleanText } from '../text/untrusted-text.js'

/** Usage preferences of a `Content-Usage` rule or header field: category to `y`, `n` or another token. */
export type ContentUsage = Readonly<Record<string, string>>

export interface ParsedContentUsage {
  readonly usage: ContentUsage
  /** Members that are not understood, as written. */
  readonly malformed: readonly string[]
}

const MEMBER = /^([a-z*][a-z0-9_.*-]*)\s*(?:=\s*([a-z*][a-z0-9:/!#$%&'*+.^_`|~-]*))?\s*(?:;.*)?$/
const MAX_MEMBERS = 32

/**
 * Parses usage preferences: a dictionary of tokens (RFC 9651 as draft-ietf-aipref-attach uses it). As there, the last
 * member of a name counts. Members without a token value are not understood.
 */
export function parseContentUsage(value: string): ParsedContentUsage {
  const usage = new Map<string, string>()
  const malformed: string[] = []
  for (const piece of value.split(',', MAX_MEMBERS).map((text) => text.trim())) {
    if (piece === '') continue
    const [, name, token] = piece.length > 200 ? [] : (MEMBER.exec(piece.toLowerCase()) ?? [])
    if (name !== undefined && token !== undefined) usage.set(name, token)
    else malformed.push(cleanText(piece, 80))
  }
  return { usage: Object.fromEntries(usage), malformed }
}
