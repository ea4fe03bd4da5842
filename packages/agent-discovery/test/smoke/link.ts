import { parseLinkHeader } from '@doorplate/agent-discovery/link'

export function smoke(): boolean {
  return typeof parseLinkHeader === 'function'
}
