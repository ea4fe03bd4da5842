export { groupOf, levelOf } from './check.js'
export type { Check, Requirement, RequirementLevel, RequirementLookup } from './check.js'
export { checkSite, isAboutOptions, RUN_OPTION_TYPES } from './check-site.js'
export type { CheckSiteOptions, OpenPort, RunLimits, RunOptions } from './check-site.js'
export { counted } from './counted.js'
export { explainCheck, listChecks } from './describe-checks.js'
export { budgetExceeded, ConformanceError, isConformanceError } from './errors.js'
export type { ConformanceErrorCode, ConformanceErrorDetails } from './errors.js'
export { EXIT_CODES, exitCodeFor } from './exit-code.js'
export { followRedirects } from './network/follow-redirects.js'
export type { RedirectLimits } from './network/follow-redirects.js'
export { hopOver } from './network/hop.js'
export type { GuardedFetch, Hop, HopRequest } from './network/hop.js'
export {
  NETWORK_OPTION_NAMES,
  NETWORK_OPTION_TYPES,
  networkSettings,
  privateHosts,
  trustedAuthorities,
} from './network/network-options.js'
export type { NetworkOptions, NetworkSettings } from './network/network-options.js'
export { secretsIn, siteHeaders } from './network/site-headers.js'
export type { SiteHeaders } from './network/site-headers.js'
export { once } from './once.js'
export { inconclusive, judged, skipped } from './outcome.js'
export type { Finding, Outcome } from './outcome.js'
export { noResponse } from './no-response.js'
export { isPlainHttpUrl, plainHttpOrigin } from './plain-http-url.js'
export { REPORT_VERSION } from './report.js'
export type {
  CheckResult,
  CheckStatus,
  ConformanceReport,
  FatalCode,
  ReportedFinding,
  ReportSummary,
  RunStatus,
} from './report.js'
export { diffReports, renderDiff } from './reports/diff-reports.js'
export type { CheckChange, ReportDiff, RunDifference } from './reports/diff-reports.js'
export { parseReport, renderJsonReport } from './reports/json-report.js'
export { renderJUnitReport } from './reports/junit-report.js'
export { renderMarkdownReport } from './reports/markdown-report.js'
export { renderSarifReport } from './reports/sarif-report.js'
export type { SarifReportOptions } from './reports/sarif-report.js'
export { renderTextReport } from './reports/text-report.js'
export type { TextReportOptions } from './reports/text-report.js'
export { RequestLog } from './request-log.js'
export type { LoggedRequest, RequestLogOptions } from './request-log.js'
export type { Exchange, ProbeRequest, ProbeResponse, RequestFailure, RequestPort } from './request-port.js'
export { runChecks } from './run-checks.js'
export type { RunChecksOptions } from './run-checks.js'
export { assertSuite, selectChecks } from './select-checks.js'
export type { Selection } from './select-checks.js'
export {
  checkOptionNames,
  checkOptionTypes,
  integerOption,
  invalidOption,
  MAX_TIMER_MS,
} from './validate-option.js'
export type { OptionType, OptionTypeRules } from './validate-option.js'
export { MAX_TEXT_LENGTH, visibleJson, visibleText } from './visible-text.js'
