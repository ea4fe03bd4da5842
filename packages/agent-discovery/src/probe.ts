export type { BudgetReport, StopReason } from './probe/budget.js'
export { EXTENDED_PROBE_PATHS, PROBE_PATHS } from './probe/probe-list.js'
export type { ProbeOptions } from './probe/probe-options.js'
export { probe, type ProbeResult } from './probe/probe-origin.js'
