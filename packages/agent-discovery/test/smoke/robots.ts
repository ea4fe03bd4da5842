import { parseRobots, robotsSignals } from '@doorplate/agent-discovery/robots'

export function smoke(): boolean {
  return typeof parseRobots === 'function' && typeof robotsSignals === 'function'
}
