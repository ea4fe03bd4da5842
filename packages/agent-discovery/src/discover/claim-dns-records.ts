import { isDomain, lookupAgentRecords, type AgentRecords } from '../dns/lookup-agent-records.js'
import type { Kind } from '../resources/kind.js'
import type { ResourceSet } from '../resources/resource-set.js'
import type { Discovery } from './start-discovery.js'

/** What records of DNS lead to, by AID protocol. Anything else is a `linked-resource`. */
const AID_KINDS: ReadonlyMap<string, Kind> = new Map<string, Kind>([
  ['mcp', 'mcp-endpoint'],
  ['a2a', 'a2a-endpoint'],
  ['openapi', 'openapi'],
])

/**
 * Asks DNS, if there is a resolver and the host is a name, and claims what the records lead to. DNS gets what is left of the
 * time for everything; who does not answer until then has failed.
 */
export async function claimDnsRecords(
  set: ResourceSet,
  url: string,
  { options: { resolver }, policy, prober }: Discovery,
): Promise<AgentRecords | undefined> {
  const name = new URL(url).hostname.replace(/\.$/, '')
  if (!resolver || /^[\d.]+$/.test(name) || !isDomain(name)) return undefined
  const records = await lookupAgentRecords(name, {
    resolver,
    timeoutMs: Math.ceil(prober.budget.remainingMs),
    ...(policy.signal && { signal: policy.signal }),
  })
  claim(set, records)
  return records
}

function claim(set: ResourceSet, { aid, dnsAid }: AgentRecords): void {
  const source = { name: 'dns' } as const
  if (aid?.url?.startsWith('https:')) {
    const kind = AID_KINDS.get(aid.protocol) ?? 'linked-resource'
    const via = `_agent TXT ${aid.version}`
    set.claim({ url: aid.url, kind, source: { ...source, via }, title: aid.description })
  }
  for (const { kind, capability } of dnsAid) {
    if (capability !== undefined)
      set.claim({ url: capability, kind, source: { ...source, via: '_agents SVCB key65400' } })
  }
}
