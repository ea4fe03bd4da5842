import type { Kind } from '../resources/kind.js'

/** Conventional places. The path has to be this one exactly; nothing is guessed from a part of it. */
const PATH_KINDS: ReadonlyMap<string, Kind> = new Map<string, Kind>([
  ['/auth.md', 'auth-md'],
  ['/robots.txt', 'robots-txt'],
  ['/sitemap.xml', 'sitemap'],
  ['/openapi.json', 'openapi'],
  ['/swagger.json', 'openapi'],
  ['/agents.json', 'agents-json'],
  ['/.well-known/agent', 'aid'],
  ['/.well-known/agent-card.json', 'a2a-agent-card'],
  ['/.well-known/agent-skills/index.json', 'agent-skills-index'],
  ['/.well-known/agent.json', 'unknown-agent-json'],
  ['/.well-known/agents.json', 'agents-json'],
  ['/.well-known/ai-catalog.json', 'ai-catalog'],
  ['/.well-known/ai-manifest.json', 'aadp-manifest'],
  ['/.well-known/ai-plugin.json', 'openai-ai-plugin'],
  ['/.well-known/api-catalog', 'api-catalog'],
  ['/.well-known/ard.json', 'ai-catalog'],
  ['/.well-known/http-message-signatures-directory', 'http-message-signatures-directory'],
  ['/.well-known/mcp', 'mcp-directory'],
  ['/.well-known/mcp.json', 'mcp-server-card'],
  ['/.well-known/mcp/server-card.json', 'mcp-server-card'],
  ['/.well-known/mcp/server-cards.json', 'mcp-directory'],
  ['/.well-known/nlweb.json', 'nlweb'],
  ['/.well-known/oauth-authorization-server', 'oauth-authorization-server'],
  ['/.well-known/oauth-protected-resource', 'oauth-protected-resource'],
  ['/.well-known/openapi.json', 'openapi'],
  ['/.well-known/openid-configuration', 'openid-configuration'],
  ['/.well-known/security.txt', 'security-txt'],
  ['/.well-known/skills/index.json', 'agent-skills-index'],
  ['/.well-known/ucp', 'ucp-profile'],
])

/** Metadata with the path of an issuer or resource appended (RFC 8414, 3.1; RFC 9728, 3.1). */
const SUFFIXED_KINDS: readonly (readonly [prefix: string, Kind])[] = [
  ['/.well-known/oauth-authorization-server/', 'oauth-authorization-server'],
  ['/.well-known/oauth-protected-resource/', 'oauth-protected-resource'],
  ['/.well-known/openid-configuration/', 'openid-configuration'],
]

/** Kinds without a path of their own that content can prove or refute. */
const PATHLESS_KINDS: readonly Kind[] = ['llms-txt', 'llms-full-txt', 'markdown', 'rsl-license']
const PROVABLE: ReadonlySet<Kind> = new Set([...PATH_KINDS.values(), ...PATHLESS_KINDS])

/** The kind that a document is to be of: what its path promises, else what whoever names it says. */
export function promisedKind(url: string | URL, expected: Kind | undefined): Kind | undefined {
  return pathKind(url) ?? (expected !== undefined && PROVABLE.has(expected) ? expected : undefined)
}

/** The kind that a URL's path promises, if it is a conventional one. `llms.txt` may stand in any folder. */
export function pathKind(url: string | URL): Kind | undefined {
  const { pathname } = new URL(url)
  const exact = PATH_KINDS.get(pathname)
  if (exact) return exact
  if (pathname.endsWith('/llms.txt')) return 'llms-txt'
  if (pathname.endsWith('/llms-full.txt')) return 'llms-full-txt'
  if (pathname.endsWith('/.well-known/openid-configuration')) return 'openid-configuration'
  return SUFFIXED_KINDS.find(([prefix]) => pathname.startsWith(prefix))?.[1]
}
