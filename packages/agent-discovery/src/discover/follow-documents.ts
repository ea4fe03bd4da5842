import type { Kind } from '../resources/kind.js'
import { issuerMetadataUrls } from '../kinds/oauth-metadata-urls.js'
import { namedClaim } from '../response/own-document.js'
import { examineInto, type FoundDocument } from '../probe/probe-origin.js'
import type { Prober } from '../probe/prober.js'
import { redactUrl } from '../url/redact-url.js'
import type { Claim, ResourceSet } from '../resources/resource-set.js'

export interface FollowOptions {
  readonly prober: Prober
  readonly set: ResourceSet
  readonly verify: 'none' | 'same-origin' | 'any-origin'
  readonly siteUrl: string
  /** Whether paths that nobody names may be asked for. */
  readonly probe: boolean
}

/** Kinds that are documents for reading. Endpoints of agents, tools and logins are never asked anything. */
const DOCUMENTS: ReadonlySet<Kind> = new Set<Kind>([
  'llms-txt',
  'llms-full-txt',
  'auth-md',
  'markdown',
  'aadp-manifest',
  'openapi',
  'api-catalog',
  'oauth-authorization-server',
  'openid-configuration',
  'oauth-protected-resource',
  'ahp-manifest',
  'a2a-agent-card',
  'mcp-server-card',
  'mcp-directory',
  'agent-skills-index',
  'ai-catalog',
  'agents-json',
  'openai-ai-plugin',
  'rsl-license',
  'unknown-agent-json',
])

/**
 * Examines what is claimed so far and adds what the found documents name: one level, so that a catalogue that names itself
 * or another catalogue leads no further.
 */
export async function followDocuments(
  documents: readonly FoundDocument[],
  options: FollowOptions,
): Promise<void> {
  const { set } = options
  const advertised = await verifyOpen(options)
  const first = [...documents, ...advertised]
  for (const { url, identification } of first) {
    for (const item of identification.named) set.claim(namedClaim(item, url))
  }
  if (options.probe) claimServerCards(options)
  const named = verifyOpen(options)
  await Promise.all([
    named,
    ...issuersOf(first).map(({ issuer, document }) => followIssuer(issuer, document, options)),
  ])
}

/** The card of an MCP server lies beside its endpoint (SEP-2127). The endpoint itself is not asked. */
function claimServerCards({ set, verify, siteUrl }: FollowOptions): void {
  for (const { url, kind } of set.open()) {
    const card = `${url.replace(/[?#].*$/, '').replace(/\/$/, '')}/server-card`
    const claim = { url: card, kind: 'mcp-server-card', source: { name: 'probe' } } as const
    if (kind === 'mcp-endpoint' && isExaminable(claim, verify, siteUrl)) set.claim(claim)
  }
}

/** Examines every claim that may be and was not yet. */
async function verifyOpen({
  prober,
  set,
  verify,
  siteUrl,
}: FollowOptions): Promise<readonly FoundDocument[]> {
  const claims = set.open().filter((claim) => isExaminable(claim, verify, siteUrl))
  const found = await Promise.all(claims.map(({ url, kind }) => examineInto(prober, set, url, kind)))
  return found.flat()
}

function isExaminable(
  { url, kind, inline }: Claim,
  verify: FollowOptions['verify'],
  siteUrl: string,
): boolean {
  if (inline || verify === 'none' || !DOCUMENTS.has(kind) || redactUrl(url).ephemeral) return false
  return verify === 'any-origin' || new URL(url).origin === new URL(siteUrl).origin
}

function issuersOf(documents: readonly FoundDocument[]): readonly { issuer: string; document: string }[] {
  const issuers = new Map<string, string>()
  for (const { url, identification } of documents) {
    for (const issuer of identification.issuers ?? []) if (!issuers.has(issuer)) issuers.set(issuer, url)
  }
  return [...issuers].map(([issuer, document]) => ({ issuer, document }))
}

/** Tries the places of an issuer's metadata in order until one is verified; only that one is reported. */
async function followIssuer(
  issuer: string,
  document: string,
  { prober, set, verify, siteUrl }: FollowOptions,
): Promise<void> {
  const claim = {
    kind: 'oauth-authorization-server',
    source: { name: 'document', document, via: 'authorization_servers' },
  } as const
  const urls = issuerMetadataUrls(issuer)
  const mayAsk =
    verify === 'any-origin' ||
    (verify === 'same-origin' && new URL(issuer).origin === new URL(siteUrl).origin)
  const [first = issuer] = urls
  if (!mayAsk) {
    set.claim({ ...claim, url: first })
    return
  }
  for (const url of urls) {
    const { finding } = await prober.examine(url, claim.kind)
    if (finding.state !== 'verified') continue
    set.claim({ ...claim, url })
    set.find(url, finding)
    return
  }
  set.claim({ ...claim, url: first })
  set.find(first, (await prober.examine(first, claim.kind)).finding)
}
