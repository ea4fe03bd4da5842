import { formatLinkset } from '@doorplate/agent-discovery/linkset'

export function smoke(): boolean {
  return Array.isArray(formatLinkset([]).linkset)
}
