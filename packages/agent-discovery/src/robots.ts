export { parseContentUsage, type ContentUsage } from './robots/content-usage.js'
export { parseContentSignal, type ContentSignal } from './robots/content-signal.js'
export {
  parseRobots,
  type ContentUsageRule,
  type ParseRobotsOptions,
  type Robots,
  type RobotsGroup,
  type RobotsPointer,
  type RobotsRule,
} from './robots/parse-robots.js'
export { robotsSignals, type RobotsSignals, type RobotsSignalsOptions } from './robots/robots-signals.js'
