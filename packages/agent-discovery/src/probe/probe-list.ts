/** The shapes of paths for which servers have different rules for what does not exist. */
export type PathShape = 'bare' | 'json' | 'text'

/**
 * The paths that are asked for, and no others: the space under `/.well-known/` is never searched. The first ten are the ones
 * that FetchKit asks for.
 */
export const PROBE_PATHS: readonly string[] = [
  '/llms.txt',
  '/llms-full.txt',
  '/auth.md',
  '/.well-known/oauth-authorization-server',
  '/.well-known/openid-configuration',
  '/.well-known/oauth-protected-resource',
  '/.well-known/api-catalog',
  '/.well-known/mcp/server-card.json',
  '/.well-known/agent-card.json',
  '/.well-known/agent-skills/index.json',
  '/robots.txt',
  '/.well-known/ard.json',
  '/.well-known/ai-catalog.json',
  '/.well-known/agent.json',
  '/.well-known/ai-manifest.json',
]

/** More paths, asked for with `extended`. */
export const EXTENDED_PROBE_PATHS: readonly string[] = [
  '/.well-known/mcp.json',
  '/.well-known/mcp',
  '/.well-known/skills/index.json',
  '/openapi.json',
  '/.well-known/openapi.json',
  '/.well-known/security.txt',
  '/.well-known/http-message-signatures-directory',
  '/.well-known/ucp',
  '/.well-known/nlweb.json',
  '/.well-known/agents.json',
  '/.well-known/ai-plugin.json',
  '/sitemap.xml',
  '/.well-known/agent',
]

export function pathShape(url: string): PathShape {
  const { pathname } = new URL(url)
  if (pathname.endsWith('.json')) return 'json'
  return /\.[a-z]{2,4}$/.test(pathname) ? 'text' : 'bare'
}

/** A path of a shape that cannot exist. */
export function canaryPath(shape: PathShape, token: string): string {
  if (shape === 'json') return `/.well-known/${token}.json`
  return shape === 'text' ? `/${token}.txt` : `/.well-known/${token}`
}
