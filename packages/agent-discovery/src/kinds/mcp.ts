import {
  arrayMember,
  isObject,
  member,
  objectMember,
  stringMember,
  type JsonObject,
} from '../json/json-value.js'
import { cleanText } from '../text/untrusted-text.js'
import { resolveWebUrl } from '../url/web-url.js'
import {
  judged,
  verified,
  type Identification,
  type NamedResource,
  type ReceivedDocument,
} from './identification.js'

const CARD_SCHEMA =
  /^https:\/\/static\.modelcontextprotocol\.io\/schemas\/[\w.-]+\/server-card\.schema\.json$/
const MAX_ITEMS = 50

/** An MCP server card of the current or an older shape, or a list of servers. The document says which, not its path. */
export function recognizeMcp(data: JsonObject, document: ReceivedDocument): Identification | undefined {
  return (
    currentCard(data, document) ??
    olderCard(data, document) ??
    registryEntry(data, document) ??
    vendorCard(data, document) ??
    directory(data, document)
  )
}

function currentCard(data: JsonObject, document: ReceivedDocument): Identification | undefined {
  const bySchema = CARD_SCHEMA.test(stringMember(data, '$schema') ?? '')
  if (!bySchema && !(document.mediaType === 'application/mcp-server-card+json' && stringMember(data, 'name')))
    return undefined
  const reasons = ['name', 'version']
    .filter((name) => !stringMember(data, name))
    .map((name) => `missing-member: ${name}`)
  return judged('mcp-server-card', reasons, {
    variant: 'sep-2127',
    signature: [bySchema ? '$schema is that of a server card' : 'media type of a server card'],
    ...remotes(data, document),
  })
}

/** An address may be a template with `{names}`: it is kept as text and never resolved. */
function remotes(
  data: JsonObject,
  { url }: ReceivedDocument,
): Pick<Identification, 'named' | 'claims' | 'endpoint'> {
  const addresses = (arrayMember(data, 'remotes') ?? [])
    .slice(0, MAX_ITEMS)
    .flatMap((remote) => (isObject(remote) ? (stringMember(remote, 'url') ?? []) : []))
  const template = addresses.find((address) => address.includes('{'))
  const named = addresses
    .filter((address) => !address.includes('{'))
    .flatMap((address) => endpoint(address, url, 'remotes'))
  const [first] = named
  return {
    named,
    ...(first && { endpoint: first.url }),
    ...(template !== undefined && { claims: { remoteTemplate: cleanText(template, 300) } }),
  }
}

function olderCard(data: JsonObject, { url }: ReceivedDocument): Identification | undefined {
  const info = objectMember(data, 'serverInfo')
  if (!info || stringMember(info, 'name') === undefined) return undefined
  const transport = objectMember(data, 'transport')
  const named = endpoint((transport && stringMember(transport, 'endpoint')) ?? 'invalid:', url, 'transport')
  return verified('mcp-server-card', {
    variant: 'sep-1649',
    signature: ['serverInfo has a name'],
    warnings: ['superseded-shape: server cards are SEP-2127 now'],
    named,
    ...(named[0] && { endpoint: named[0].url }),
  })
}

/** A `server.json` of the MCP registry: where to get a server rather than where it answers. */
function registryEntry(data: JsonObject, document: ReceivedDocument): Identification | undefined {
  const packages = arrayMember(data, 'packages') ?? []
  const listed = packages.some((item) => isObject(item) && stringMember(item, 'registryType') !== undefined)
  const remote =
    arrayMember(data, 'remotes')?.some(
      (item) => isObject(item) && stringMember(item, 'type') !== undefined,
    ) === true
  if (!stringMember(data, 'name') || !stringMember(data, 'version') || !(listed || remote)) return undefined
  return verified('mcp-server-card', {
    variant: 'registry',
    signature: ['name, version and packages or remotes of the MCP registry'],
    ...remotes(data, document),
  })
}

function vendorCard(data: JsonObject, { url }: ReceivedDocument): Identification | undefined {
  const tools = arrayMember(data, 'tools')
  if (tools && stringMember(data, 'spec')?.startsWith('webmcp/')) {
    return verified('mcp-server-card', {
      variant: 'webmcp',
      signature: ['spec is webmcp and tools is an array'],
    })
  }
  const address = stringMember(data, 'serverUrl') ?? stringMember(data, 'endpoint')
  if (address === undefined || !stringMember(data, 'name') || !(tools ?? member(data, 'transport')))
    return undefined
  const named = endpoint(address, url, 'serverUrl')
  return judged('mcp-server-card', named.length === 0 ? ['unusable-url'] : [], {
    variant: 'vendor',
    signature: ['name, an address and tools or transport'],
    warnings: ['vendor-shape'],
    named,
    ...(named[0] && { endpoint: named[0].url }),
  })
}

function directory(data: JsonObject, { url, promised }: ReceivedDocument): Identification | undefined {
  const configured = objectMember(data, 'mcpServers')
  const listed =
    promised === 'mcp-directory' || promised === 'mcp-server-card' ? arrayMember(data, 'servers') : undefined
  const servers = configured ? Object.values(configured) : listed
  if (!servers) return undefined
  const named = servers
    .slice(0, MAX_ITEMS)
    .flatMap((server) =>
      isObject(server)
        ? endpoint(
            stringMember(server, 'url') ?? stringMember(server, 'endpoint') ?? 'invalid:',
            url,
            'servers',
          )
        : [],
    )
  const isUsable = servers.length === 0 || servers.some(isServer)
  return judged('mcp-directory', isUsable ? [] : ['no-usable-server'], {
    ...(configured && { variant: 'mcpServers' }),
    signature: [configured ? 'mcpServers is an object' : 'servers is an array'],
    named,
  })
}

/** A program that a client runs has a command and no address. */
function isServer(server: unknown): boolean {
  return (
    isObject(server) &&
    ['url', 'endpoint', 'command'].some((name) => stringMember(server, name) !== undefined)
  )
}

function endpoint(reference: string, base: string, via: string): NamedResource[] {
  const resolved = resolveWebUrl(reference, base)
  return 'url' in resolved ? [{ url: resolved.url.href, kind: 'mcp-endpoint', via }] : []
}
