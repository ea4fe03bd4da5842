import { counted, judged, skipped, type Check, type Finding, type Outcome } from '@doorplate/conformance-kit'
import { ownMember } from '../own-member.js'
import { rule } from '../requirements.js'
import type { Aspect, Observation } from '../site/observe.js'
import { described, type Reading } from '../site/reading.js'
import type { Answered, Site } from '../site/site.js'

/** A check of a site, as data. */
export type SiteCheck = Check<Site>

/** A finding about one response. */
export function about(
  reading: Reading,
  number: string,
  message: string,
  more: Partial<Finding> = {},
): Finding {
  const { url, request, hint } = reading
  return { requirement: rule(number), url, message, request, ...(hint !== undefined && { hint }), ...more }
}

/** What is wrong with a response that must be a refusal with this status and one of these codes. */
export function refusalFindings(
  reading: Reading,
  number: string,
  expected: { readonly status: number; readonly code: string; readonly what: string },
): readonly Finding[] {
  const { status, code, what } = expected
  if (reading.status === status && ownMember(reading.json, 'code') === code) return []
  return [about(reading, number, `${what}: ${described(reading)} Expected status ${status} with ${code}.`)]
}

/** The same for a wrong credential: who says that it has too few rights refuses it too, by a code that is for others. */
export function wrongCredentialFindings(reading: Reading, number: string, what: string): readonly Finding[] {
  const expected = { status: 401, code: 'auth_required', what: `${what} with a wrong credential` }
  const advisory = reading.status === 403
  return refusalFindings(reading, number, expected).map((finding) => ({ ...finding, advisory }))
}

/** Passes over what takes the credential of the run. */
export function skippedWithoutCredential({ settings, origin }: Site, why: string): Outcome {
  const how =
    settings.credential === undefined ? 'Give --token.' : `It is for ${origin}, and goes nowhere else.`
  return skipped(`${why} ${how}`)
}

/** What is wrong with a response that must be an answer. */
export function successFindings(reading: Reading, number: string, what: string): readonly Finding[] {
  if (reading.status === 200 && ownMember(reading.json, 'status') === 'success') return []
  return [about(reading, number, `${what}: ${described(reading)} Expected an answer.`)]
}

/** Judges one side of every response that was seen. */
export function judgeAspect(site: Site, aspect: Aspect, applies: (seen: Observation) => boolean): Outcome {
  const seen = site.observations.filter(applies)
  if (seen.length === 0) return skipped('No such response was seen.')
  return judged(
    seen.flatMap(({ findings }) => findings[aspect]),
    counted(seen.length, 'response'),
  )
}

/** The question of the run, for checks that need `converse.answer`. */
export async function answered(site: Site): Promise<Answered> {
  const found = await site.answer()
  if (found === undefined) throw new Error('converse.answer came to an answer that is gone')
  return found
}
