export {
  exitCodeFor,
  renderJsonReport,
  renderJUnitReport,
  renderMarkdownReport,
  renderSarifReport,
  renderTextReport,
} from '@doorplate/conformance-kit'
export type { CheckResult, ConformanceReport } from '@doorplate/conformance-kit'
export { agentChecks } from './agent/agent-checks.js'
export type { AgentCheck, AgentRecord } from './agent/agent-check.js'
export { openAgentTrial } from './agent/agent-trial.js'
export type { AgentTrial, AgentTrialOptions } from './agent/agent-trial.js'
export { runAgentConformance } from './agent/run-agent-conformance.js'
export type { RunAgentConformanceOptions } from './agent/run-agent-conformance.js'
export type { AgentRequest, AgentTask, Visit } from './agent/station.js'
export { conformanceChecks } from './checks/conformance-checks.js'
export type { SiteCheck } from './checks/site-check.js'
export { AhpConformanceError, isAhpConformanceError } from './errors.js'
export type { AhpConformanceErrorCode } from './errors.js'
export type { CallbackOptions, RunConformanceOptions } from './options.js'
export type { Probe, Probes } from './probes.js'
export { PROFILES } from './profiles.js'
export type { Part, Profile } from './profiles.js'
export { requirementOf } from './requirements.js'
export { runConformance } from './run-conformance.js'
export type { Sleep } from './sleep.js'
