import { PROBE_PATHS, probe } from '@doorplate/agent-discovery/probe'

export function smoke(): boolean {
  return PROBE_PATHS.includes('/llms.txt') && typeof probe === 'function'
}
