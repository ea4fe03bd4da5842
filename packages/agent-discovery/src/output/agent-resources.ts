import type { Kind } from '../resources/kind.js'
import type { Resource } from '../resources/resource.js'

/** One resource in the shape of FetchKit's `PageMetadata.agent_resources`. */
export interface AgentResource {
  readonly url: string
  readonly kind: string
  readonly source: string
  readonly relation?: string
  readonly media_type?: string
  readonly title?: string
  readonly verified: boolean
}

/** FetchKit's names of kinds, where they differ from ours. */
const KINDS: ReadonlyMap<Kind, string> = new Map<Kind, string>([
  ['auth-md', 'auth'],
  ['oauth-authorization-server', 'oauth'],
  ['oauth-protected-resource', 'oauth'],
  ['openid-configuration', 'oauth'],
  ['oauth-endpoint', 'oauth'],
  ['mcp-server-card', 'mcp'],
  ['mcp-directory', 'mcp'],
  ['mcp-endpoint', 'mcp'],
  ['a2a-agent-card', 'agent-card'],
  ['agent-skills-index', 'agent-skills'],
  ['agent-skill', 'agent-skills'],
  ['openapi', 'api-description'],
])

/** What FetchKit leaves out too: resources that are known not to be there. */
const MISSING: ReadonlySet<string> = new Set([
  'absent',
  'soft-404',
  'invalid',
  'error',
  'inconclusive',
  'blocked',
])
const MAX_RESOURCES = 20

/** The same result in FetchKit's shape: at most 20, best first. `verified` is true for verified content only, as everywhere here. */
export function toAgentResources(result: { readonly resources: readonly Resource[] }): {
  readonly agent_resources: readonly AgentResource[]
} {
  const present = result.resources.filter(({ state }) => !MISSING.has(state))
  return { agent_resources: present.slice(0, MAX_RESOURCES).map(toAgentResource) }
}

function toAgentResource({ url, kind, sources, mediaType, title, verified }: Resource): AgentResource {
  const relation = sources.flatMap(({ relations }) => relations ?? [])[0]
  return {
    url,
    kind: KINDS.get(kind) ?? kind,
    source: sources[0]?.name ?? 'probe',
    ...(relation !== undefined && { relation }),
    ...(mediaType !== undefined && { media_type: mediaType }),
    ...(title !== undefined && { title }),
    verified,
  }
}
