import { READINESS_CHECKS, requirementOf } from '@doorplate/agent-discovery/readiness'

export function smoke(): boolean {
  return READINESS_CHECKS.every(({ requirements }) =>
    requirements.every((id) => requirementOf(id) !== undefined),
  )
}
