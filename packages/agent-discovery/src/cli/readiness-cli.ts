import {
  SCHEME_HELP,
  UsageError,
  type CommandLine,
  type RunnerCli,
  type RunnerPlan,
} from '@doorplate/conformance-kit/cli'
import { withScheme } from '@doorplate/safe-fetch'
import { COMMAND } from '../package-version.js'
import { checkReadiness, READINESS_VERSION } from '../readiness/check-readiness.js'
import { READINESS_CHECKS } from '../readiness/checks.js'
import { requirementOf } from '../readiness/requirements.js'
import { NETWORK_OPTIONS, readNetworkOptions } from './network-options.js'

/** `agent-discovery check <url>`. */
export const readinessCli: RunnerCli = {
  name: 'agent-discovery check',
  version: COMMAND.version,
  protocol: 'readiness',
  summary: 'Reports what of a site is broken, missing or not applicable for agents, each with its remedy.',
  informationUri: 'https://github.com/doorplate/doorplate/tree/main/packages/agent-discovery#readme',
  usageNote: SCHEME_HELP,
  options: NETWORK_OPTIONS,
  plan,
}

function plan(line: CommandLine): RunnerPlan {
  const [url, ...rest] = line.positionals
  if (rest.length > 0) throw new UsageError('Give one URL.')
  const shared = { protocolVersion: READINESS_VERSION, checks: READINESS_CHECKS, requirementOf }
  if (url === undefined) return shared
  return {
    ...shared,
    baseUrl: withScheme(url),
    run: async ({ signal, only, skip, failOnWarning, onCheck }) => {
      const { options, fetch } = readNetworkOptions(withScheme(url), line, signal)
      try {
        return await checkReadiness(withScheme(url), {
          ...options,
          ...(only && { only }),
          ...(skip && { skip }),
          failOnWarning,
          onCheck,
        })
      } finally {
        await fetch.close()
      }
    },
  }
}
