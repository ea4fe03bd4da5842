import type { RunSettings } from '../options.js'
import { PROFILES, type Part } from '../profiles.js'
import { asyncChecks } from './async-checks.js'
import { authChecks } from './auth-checks.js'
import { clarificationChecks } from './clarification-checks.js'
import { contentChecks } from './content-checks.js'
import { converseChecks } from './converse-checks.js'
import { discoveryChecks } from './discovery-checks.js'
import { errorChecks } from './error-checks.js'
import { limitChecks } from './limit-checks.js'
import { manifestChecks, profileCheck } from './manifest-checks.js'
import { mcpChecks } from './mcp-checks.js'
import { messageChecks } from './message-checks.js'
import { openapiChecks } from './openapi-checks.js'
import { rateChecks } from './rate-checks.js'
import { responseChecks } from './response-checks.js'
import { safetyChecks } from './safety-checks.js'
import { sessionChecks } from './session-checks.js'
import type { SiteCheck } from './site-check.js'
import { typeChecks } from './type-checks.js'

const CHECKS: readonly (readonly [Part, readonly SiteCheck[]])[] = [
  ['mode1', manifestChecks],
  ['mode1', discoveryChecks],
  ['mode1', contentChecks],
  ['mode2', converseChecks],
  ['mode2', errorChecks],
  ['mode2', typeChecks],
  ['mode2', clarificationChecks],
  ['mode2', sessionChecks],
  ['mode2', safetyChecks],
  ['mode3', authChecks],
  ['mode3', asyncChecks],
  ['faces', mcpChecks],
  ['faces', openapiChecks],
  ['mode2', messageChecks],
  ['mode2', limitChecks],
  ['mode1', responseChecks],
]

/** The checks of a run in the order in which they are run. Those about all responses come late, and `rate.*` last. */
export function conformanceChecks({
  profile = 'full',
  rate = false,
}: Partial<Pick<RunSettings, 'profile' | 'rate'>> = {}): readonly SiteCheck[] {
  const parts = PROFILES[profile]
  return [
    ...CHECKS.flatMap(([part, checks]) => (parts.includes(part) ? checks : [])),
    ...(profile === 'full' ? [] : [profileCheck(profile)]),
    ...(rate && parts.includes('mode2') ? rateChecks : []),
  ]
}
