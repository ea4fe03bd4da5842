import { describeSite, type SiteSignals } from '@doorplate/agent-discovery/publish'
import { AGENT_MANIFEST, API_CATALOG, HEALTH, LLMS_TXT, MANIFEST, MCP, OPENAPI } from '../routes.js'
import { SITE } from '../site-facts.js'

/** What leads agents to everything that this site offers: `Link` fields, elements of pages, robots.txt, the API catalogue. */
export function siteSignals(origin: string): SiteSignals {
  const { ai_train: aiTrain, ai_input: aiInput, search } = SITE.contentSignals
  return describeSite({
    url: origin,
    name: SITE.name,
    summary: SITE.description,
    contentSignal: { 'ai-train': aiTrain, 'ai-input': aiInput, search },
    resources: [
      { kind: 'ahp-manifest', url: AGENT_MANIFEST },
      { kind: 'aadp-manifest', url: MANIFEST },
      { kind: 'llms-txt', url: LLMS_TXT },
      { kind: 'api-catalog', url: API_CATALOG },
      { kind: 'openapi', url: OPENAPI },
      { kind: 'mcp-endpoint', url: MCP },
      { kind: 'service-status', url: HEALTH },
    ],
  })
}
