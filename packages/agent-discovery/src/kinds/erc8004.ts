import { arrayMember, isObject, stringMember, type JsonObject } from '../json/json-value.js'
import { cleanText } from '../text/untrusted-text.js'
import { resolveWebUrl } from '../url/web-url.js'
import { verified, type Identification, type NamedResource, type ReceivedDocument } from './identification.js'
import type { Kind } from '../resources/kind.js'
import { pathKind } from './path-kind.js'

const MAX_SERVICES = 50

const SERVICE_KINDS: ReadonlyMap<string, Kind> = new Map<string, Kind>([
  ['mcp', 'mcp-endpoint'],
  ['a2a', 'a2a-agent-card'],
])

/** An ERC-8004 agent registration, known by its `type` URI. */
export function recognizeErc8004(data: JsonObject, { url }: ReceivedDocument): Identification | undefined {
  if (!stringMember(data, 'type')?.startsWith('https://eips.ethereum.org/EIPS/eip-8004')) return undefined
  const services = [...(arrayMember(data, 'services') ?? []), ...(arrayMember(data, 'endpoints') ?? [])]
  return verified('erc-8004-registration', {
    signature: ['type is the URI of EIP-8004'],
    named: services
      .slice(0, MAX_SERVICES)
      .flatMap((service) => (isObject(service) ? namedService(service, url) : [])),
  })
}

/** Publishers differ in the name of the address. */
function namedService(service: JsonObject, base: string): NamedResource[] {
  const resolved = resolveWebUrl(
    stringMember(service, 'endpoint') ?? stringMember(service, 'url') ?? 'invalid:',
    base,
  )
  if ('problem' in resolved) return []
  const name = stringMember(service, 'name') ?? ''
  const kind = pathKind(resolved.url) ?? SERVICE_KINDS.get(name.toLowerCase()) ?? 'linked-resource'
  return [
    { url: resolved.url.href, kind, via: 'services', ...(name !== '' && { title: cleanText(name, 100) }) },
  ]
}
