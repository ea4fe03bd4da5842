import type { AgentCheck } from './agent-check.js'
import { followUpChecks } from './follow-up-checks.js'
import { patienceChecks } from './patience-checks.js'
import { requestChecks } from './request-checks.js'
import { siteFindingChecks } from './site-finding-checks.js'

/** All checks of a visiting agent. */
export const agentChecks: readonly AgentCheck[] = [
  ...siteFindingChecks,
  ...requestChecks,
  ...patienceChecks,
  ...followUpChecks,
]
