import { parseMediaType } from '../http/media-type.js'
import type { Kind } from '../resources/kind.js'
import { pathKind } from './path-kind.js'

/** Relation types that say by themselves what the target is. The documented list: no other name is guessed at. */
const RELATION_KINDS: ReadonlyMap<string, Kind> = new Map<string, Kind>([
  ['https://llmstxt.org/rel/llms-txt', 'llms-txt'],
  ['llms-txt', 'llms-txt'],
  ['llms-full-txt', 'llms-full-txt'],
  ['api-catalog', 'api-catalog'],
  ['service-doc', 'api-documentation'],
  ['service-meta', 'service-metadata'],
  ['status', 'service-status'],
  ['sitemap', 'sitemap'],
  ['authorization_endpoint', 'oauth-endpoint'],
  ['oauth-authorization-server', 'oauth-authorization-server'],
  ['oauth-protected-resource', 'oauth-protected-resource'],
  ['openid-configuration', 'openid-configuration'],
  ['ahp-manifest', 'ahp-manifest'],
  ['agent-manifest', 'ahp-manifest'],
  ['a2a', 'a2a-agent-card'],
  ['agent-card', 'a2a-agent-card'],
  ['a2a-agent-card', 'a2a-agent-card'],
  ['mcp', 'mcp-endpoint'],
  ['mcp-server-card', 'mcp-server-card'],
  ['skill', 'agent-skill'],
  ['agent-skill', 'agent-skill'],
  ['agent-skills', 'agent-skills-index'],
  ['ard', 'ai-catalog'],
  ['ai-catalog', 'ai-catalog'],
  ['nlweb', 'nlweb'],
])

/** Relations whose target is told by its media type or its conventional path. */
const DESCRIBING: ReadonlySet<string> = new Set(['alternate', 'describedby', 'service-desc', 'license'])

/** Media types that name a kind. */
const MEDIA_TYPE_KINDS: ReadonlyMap<string, Kind> = new Map<string, Kind>([
  ['application/a2a+json', 'a2a-agent-card'],
  ['application/a2a-agent-card+json', 'a2a-agent-card'],
  ['application/agent+json', 'ahp-manifest'],
  ['application/agent-skill+json', 'agent-skill'],
  ['application/ai-catalog+json', 'ai-catalog'],
  ['application/http-message-signatures-directory+json', 'http-message-signatures-directory'],
  ['application/linkset+json', 'api-catalog'],
  ['application/linkset', 'api-catalog'],
  ['application/mcp-server-card+json', 'mcp-server-card'],
  ['application/openapi+json', 'openapi'],
  ['application/openapi+yaml', 'openapi'],
  ['application/rsl+xml', 'rsl-license'],
  ['application/vnd.oai.openapi', 'openapi'],
  ['application/vnd.oai.openapi+json', 'openapi'],
])

/** Names of `<meta name content>` that point to a resource. */
const META_KINDS: ReadonlyMap<string, Kind> = new Map<string, Kind>([
  ['llms', 'llms-txt'],
  ['llms-txt', 'llms-txt'],
  ['llms-full', 'llms-full-txt'],
  ['llms-full-txt', 'llms-full-txt'],
  ['auth', 'auth-md'],
  ['service-desc', 'openapi'],
  ['api-catalog', 'api-catalog'],
  ['mcp', 'mcp-endpoint'],
  ['a2a', 'a2a-agent-card'],
  ['agent-card', 'a2a-agent-card'],
  ['agent-skills', 'agent-skills-index'],
  ['ahp-manifest', 'ahp-manifest'],
  ['ard', 'ai-catalog'],
  ['ai-catalog', 'ai-catalog'],
])

export function mediaTypeKind(type: string | undefined): Kind | undefined {
  return MEDIA_TYPE_KINDS.get(parseMediaType(type)?.essence ?? '')
}

export function metaKind(name: string): Kind | undefined {
  return META_KINDS.get(name)
}

/** Relation types in an older form; the current one is named. */
export function currentRelation(relation: string): string | undefined {
  return relation === 'agent-manifest' ? 'ahp-manifest' : undefined
}

export interface Advertisement {
  readonly rels: readonly string[]
  readonly type?: string | undefined
  readonly hreflang?: string | undefined
  readonly url: string | URL
}

/** Whether a link with these relations can be one for agents. */
export function isAgentRelation(rels: readonly string[]): boolean {
  return rels.some((rel) => RELATION_KINDS.has(rel) || DESCRIBING.has(rel))
}

/** What a link says its target is: by relation and media type, then by exact path. Undefined for links not meant for agents. */
export function advertisedKind({ rels, type, hreflang, url }: Advertisement): Kind | undefined {
  const essence = parseMediaType(type)?.essence
  for (const rel of rels) {
    const kind = RELATION_KINDS.get(rel)
    if (kind) return refine(kind, essence, url)
  }
  if (rels.includes('service-desc')) return serviceDescription(essence)
  if (rels.includes('describedby')) return describedBy(essence, url)
  if (rels.includes('alternate') && !rels.includes('stylesheet')) return alternate(essence, hreflang, url)
  if (rels.includes('license')) return essence === 'application/rsl+xml' ? 'rsl-license' : undefined
  return undefined
}

/** An address and the document that describes it share a relation; type and path tell them apart. */
function refine(kind: Kind, essence: string | undefined, url: string | URL): Kind {
  const told = mediaTypeKind(essence) ?? pathKind(url)
  if (kind === 'mcp-endpoint' && told === 'mcp-server-card') return told
  if (kind === 'mcp-endpoint' && told === 'mcp-directory') return told
  if (kind === 'agent-skill' && told === 'agent-skills-index') return told
  return kind
}

function serviceDescription(essence: string | undefined): Kind {
  const openapi = essence === undefined || MEDIA_TYPE_KINDS.get(essence) === 'openapi'
  return openapi || /[/+](?:json|yaml|x-yaml)$/.test(essence) ? 'openapi' : 'api-description'
}

function describedBy(essence: string | undefined, url: string | URL): Kind {
  const told = mediaTypeKind(essence) ?? pathKind(url)
  if (told) return told
  // llms.txt v2: `describedby` leads to the llms.txt that covers the page.
  return essence === 'text/markdown' || essence === 'text/plain' ? 'llms-txt' : 'linked-resource'
}

function alternate(
  essence: string | undefined,
  hreflang: string | undefined,
  url: string | URL,
): Kind | undefined {
  if (essence === undefined) return undefined
  const told = mediaTypeKind(essence)
  if (told) return told
  const path = pathKind(url)
  if (essence === 'text/markdown') return path ?? 'markdown'
  if (hreflang !== undefined) return undefined
  return essence === 'text/plain' || essence === 'application/json' ? path : undefined
}
