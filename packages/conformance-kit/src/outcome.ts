import type { ProbeRequest } from './request-port.js'

/** One thing that is wrong with the subject. */
export interface Finding {
  /** Id of the requirement that is not met. Its level says how bad that is: MUST fails, SHOULD warns, MAY is a note. */
  readonly requirement: string
  /** What was seen, and what was expected. It may quote the site: the runner bounds it and makes it printable. */
  readonly message: string
  /** Where it was seen. */
  readonly url?: string
  /** JSON Pointer into the document at `url`. */
  readonly pointer?: string
  /** What was asked to see it. It is reported as a command, where its URL alone does not tell. */
  readonly request?: ProbeRequest
  /** Seen by a probe that the protocol does not fully license, so it warns at most. */
  readonly advisory?: boolean
  /** How to put this right where the hint of the check does not. It is reported if all findings of the check have one. */
  readonly hint?: string
}

/** What a check has come to. Findings count in every case. */
export type Outcome =
  | { readonly kind: 'judged'; readonly findings: readonly Finding[]; readonly note?: string }
  | { readonly kind: 'skipped'; readonly reason: string }
  | { readonly kind: 'inconclusive'; readonly reason: string; readonly findings: readonly Finding[] }

/** The check looked at all it had to look at. Without findings it passes; `note` says what it saw. */
export function judged(findings: readonly Finding[], note?: string): Outcome {
  return note === undefined ? { kind: 'judged', findings } : { kind: 'judged', findings, note }
}

/** The check does not apply to this subject. */
export function skipped(reason: string): Outcome {
  return { kind: 'skipped', reason }
}

/** The check could not see enough to say that all is well. */
export function inconclusive(reason: string, findings: readonly Finding[] = []): Outcome {
  return { kind: 'inconclusive', reason, findings }
}

/** @throws {TypeError} when a check came to something else, such as nothing at all */
export function assertOutcome(value: unknown): asserts value is Outcome {
  const { kind, findings, reason, note } = isObject(value) ? value : {}
  const isFound = Array.isArray(findings) && findings.every((finding) => isFinding(finding))
  const isReasoned = typeof reason === 'string'
  const isRight =
    (kind === 'judged' && isFound && isTextOrAbsent(note)) ||
    (kind === 'skipped' && isReasoned) ||
    (kind === 'inconclusive' && isReasoned && isFound)
  if (isRight) return
  const isOutcome = (kind === 'judged' || kind === 'inconclusive') && Array.isArray(findings)
  throw new TypeError(isOutcome && !isFound ? NO_FINDING : NO_OUTCOME)
}

const NO_OUTCOME = 'it came to no outcome: return judged(findings), skipped(reason) or inconclusive(reason)'
const NO_FINDING =
  'it came to a finding that is none: give requirement and message as texts, and url, pointer and hint as texts if at all'

function isFinding(value: unknown): boolean {
  if (!isObject(value)) return false
  const { requirement, message, url, pointer, hint } = value
  const isSaid = typeof requirement === 'string' && typeof message === 'string'
  return isSaid && [url, pointer, hint].every(isTextOrAbsent)
}

function isTextOrAbsent(value: unknown): boolean {
  return value === undefined || typeof value === 'string'
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
