import { parseSvcbRecord, readBinding } from '@doorplate/agent-discovery/dns'

export function smoke(): boolean {
  return parseSvcbRecord('nothing of the kind') === undefined && readBinding('agent.test', '').length === 0
}
