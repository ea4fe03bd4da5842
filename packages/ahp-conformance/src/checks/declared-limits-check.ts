import { judged, skipped, type Outcome } from '@doorplate/conformance-kit'
import { rule } from '../requirements.js'
import { declaredAllowance } from '../site/allowance.js'
import type { Site } from '../site/site.js'
import { about, answered, type SiteCheck } from './site-check.js'

/** Whether the limit that questions are told is the one of the manifest. */
export const declaredLimitsCheck: SiteCheck = {
  id: 'responses.declared_limits',
  title: 'The limit that is told is the one that is declared',
  requirements: ['R-105', 'RATE-001'].map(rule),
  needs: ['converse.answer'],
  hint: 'Derive rate_limits of the manifest from what is enforced.',
  run: judgeDeclaredLimits,
}

async function judgeDeclaredLimits(site: Site): Promise<Outcome> {
  const { reading, withCredential } = await answered(site)
  const { manifest } = await site.declared()
  const declared = declaredAllowance(manifest, { withCredential })
  if (declared === undefined) return skipped('The manifest declares no such limit.')
  const { 'x-ratelimit-limit': limit, 'x-ratelimit-window': window } = reading.headers
  if (limit === undefined || window === undefined) return skipped('The answer tells no limit.')
  const { requests, windowSeconds, text } = declared
  const asDeclared = requests / windowSeconds
  if (Math.abs(Number(limit) / Number(window) - asDeclared) <= asDeclared * 1e-6) return judged([])
  const message = `The manifest declares ${text}, and the answer tells ${limit} in ${window} seconds.`
  return judged([about(reading, 'R-105', message)])
}
