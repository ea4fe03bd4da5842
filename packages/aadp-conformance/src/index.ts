export {
  exitCodeFor,
  renderJsonReport,
  renderJUnitReport,
  renderMarkdownReport,
} from '@doorplate/conformance-kit'
export { renderSarifReport, renderTextReport } from '@doorplate/conformance-kit'
export type { CheckResult, ConformanceReport } from '@doorplate/conformance-kit'
export { conformanceChecks } from './checks/conformance-checks.js'
export type { SiteCheck } from './checks/site-check.js'
export {
  AadpConformanceError,
  InvalidBaseUrlError,
  InvalidConformanceOptionsError,
  isAadpConformanceError,
  UnsupportedConformanceVersionError,
} from './errors.js'
export type { AadpConformanceErrorCode } from './errors.js'
export type { NegativeTargets, RunConformanceOptions } from './options.js'
export { PROFILES } from './profiles.js'
export type { Limits, Profile } from './profiles.js'
export { requirementOf } from './requirements.js'
export { runConformance } from './run-conformance.js'
