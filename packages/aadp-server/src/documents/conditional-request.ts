import { parseHttpDate, secondAfter } from './http-date.js'

/** What is known about a document that a requester may already have. */
export interface Validators {
  /** Strong entity-tag, quotes included. */
  readonly etag: string
  /** No content published before this moment is still current; absent when no date says so. */
  readonly unchangedSinceMs?: number | undefined
}

interface ConditionHeaders {
  get(name: string): string | null
}

/**
 * True when a GET or HEAD that would answer 200 may answer 304 (RFC 9110 section 13.2.2): `If-None-Match` decides
 * alone when it is there, `If-Modified-Since` otherwise.
 */
export function isNotModified(headers: ConditionHeaders, validators: Validators, now: () => number): boolean {
  const ifNoneMatch = headers.get('if-none-match')
  if (ifNoneMatch !== null) return matchesEntityTag(ifNoneMatch, validators.etag)
  const ifModifiedSince = headers.get('if-modified-since')
  if (ifModifiedSince === null || validators.unchangedSinceMs === undefined) return false
  const sinceMs = parseHttpDate(ifModifiedSince, now())
  return sinceMs !== undefined && Math.floor(validators.unchangedSinceMs / 1000) * 1000 <= sinceMs
}

/** Weak comparison with one tag, a list of tags or `*`; text that is not an entity-tag ends the list. */
export function matchesEntityTag(fieldValue: string, etag: string): boolean {
  if (fieldValue === etag || fieldValue.trim() === '*') return true
  const entityTag = /[\t ]*(?:,[\t ]*)*(?:W\/)?("[\x21\x23-\x7e\x80-\xff]*")[\t ]*(?=,|$)/y
  for (let match = entityTag.exec(fieldValue); match !== null; match = entityTag.exec(fieldValue)) {
    if (match[1] === etag) return true
  }
  return false
}

/** The dates of what went out before. */
export interface PublishedDates {
  readonly lastModifiedMs: number | undefined
  readonly unchangedSinceMs: number | undefined
}

/**
 * `unchangedSinceMs` of content that takes the place of other content now: later than any date that went out with what was there
 * before, which may lie in the future or come from a clock that was set back since.
 */
export function laterThanAny(
  { lastModifiedMs = -Infinity, unchangedSinceMs = -Infinity }: PublishedDates,
  nowMs: number,
): number {
  return Math.max(unchangedSinceMs, secondAfter(Math.max(nowMs, lastModifiedMs)))
}
