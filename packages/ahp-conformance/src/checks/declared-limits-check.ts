import { judged, skipped, type Outcome } from '@doorplate/conformance-kit'
import { rule } from '../requirements.js'
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

const SECONDS: Readonly<Record<string, number>> = { second: 1, minute: 60, hour: 3_600, day: 86_400 }

async function judgeDeclaredLimits(site: Site): Promise<Outcome> {
  const { reading, withCredential } = await answered(site)
  const { manifest } = await site.declared()
  const { unauthenticated, authenticated } = manifest.rate_limits ?? {}
  const requests = withCredential
    ? authenticated?.requests
    : (unauthenticated?.requests ?? manifest.rate_limit)
  const [, count = '', period = ''] = /^(\d+)\/(\w+)$/.exec(requests ?? '') ?? []
  if (count === '' || !Object.hasOwn(SECONDS, period)) return skipped('The manifest declares no such limit.')
  const { 'x-ratelimit-limit': limit, 'x-ratelimit-window': window } = reading.headers
  if (limit === undefined || window === undefined) return skipped('The answer tells no limit.')
  const declared = Number(count) / (SECONDS[period] ?? 1)
  const told = Number(limit) / Number(window)
  if (Math.abs(told - declared) <= declared * 1e-6) return judged([])
  const message = `The manifest declares ${requests ?? ''}, and the answer tells ${limit} in ${window} seconds.`
  return judged([about(reading, 'R-105', message)])
}
