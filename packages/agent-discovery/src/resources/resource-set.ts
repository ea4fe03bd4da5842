import type { Finding } from './finding.js'
import type { Kind } from './kind.js'
import { redactUrl } from '../url/redact-url.js'
import { SOURCE_NAMES, type Resource, type ResourceState, type Source, type SourceName } from './resource.js'
import { requestUrl } from '../url/web-url.js'

/** A claim that there is a resource. */
export interface Claim {
  readonly url: string
  readonly kind: Kind
  readonly source: Source
  readonly title?: string | undefined
  readonly titleLanguage?: string | undefined
  readonly mediaType?: string | undefined
  readonly context?: string | undefined
  readonly inline?: true | undefined
  readonly warnings?: readonly string[] | undefined
}

interface Entry {
  /** Unredacted, for requests. */
  readonly url: string
  readonly claims: Claim[]
  finding?: Finding
}

/** Collects claims and findings by URL. One URL is one resource, however many sources name it. */
export class ResourceSet {
  readonly #origin: string
  readonly #entries = new Map<string, Entry>()

  constructor(siteUrl: string | URL) {
    this.#origin = new URL(siteUrl).origin
  }

  claim(claim: Claim): void {
    const key = keyOf(claim)
    const entry = this.#entries.get(key)
    if (entry) entry.claims.push(claim)
    else this.#entries.set(key, { url: claim.url, claims: [claim] })
  }

  /** Sets what was found at a URL that is claimed. */
  find(url: string, finding: Finding): void {
    const entry = this.#entries.get(keyOf({ url }))
    if (entry) entry.finding = finding
  }

  /** Whether nobody but this package's own list names a URL. */
  isOnlyTried(url: string): boolean {
    return this.#entries.get(keyOf({ url }))?.claims.every(({ source }) => source.name === 'probe') === true
  }

  /** Claims of URLs that were not examined yet. */
  open(): readonly Claim[] {
    return [...this.#entries.values()]
      .filter((entry) => !entry.finding)
      .flatMap((entry) => strongest(entry.claims))
  }

  /** All resources, best first; documents with equal bytes are one. */
  resources(): readonly Resource[] {
    const resources = [...this.#entries.values()].map((entry) => this.#build(entry))
    return mergeAliases(resources.toSorted(compare))
  }

  #build({ url, claims, finding }: Entry): Resource {
    const first = strongest(claims)
    const redacted = redactUrl(url)
    const titled = bySource(claims).find(({ title }) => title !== undefined && title !== '')
    const context = claims.find((claim) => claim.context !== undefined)?.context
    const mediaType =
      finding?.mediaType ?? bySource(claims).find((claim) => claim.mediaType !== undefined)?.mediaType
    const { endpoint, ...shared } = {
      ...(finding ?? {
        kind: first.kind,
        state: 'advertised' as const,
        reasons: [] as readonly string[],
        warnings: [] as readonly string[],
        endpoint: undefined,
      }),
    }
    return {
      ...shared,
      kind: kindOf(shared, claims),
      url: redacted.url,
      verified: shared.state === 'verified',
      warnings: [...new Set([...shared.warnings, ...claims.flatMap(({ warnings }) => warnings ?? [])])],
      sources: distinctSources(claims),
      crossOrigin: new URL(url).origin !== this.#origin,
      ...(mediaType !== undefined && { mediaType }),
      ...(titled?.title !== undefined && { title: titled.title }),
      ...(titled?.titleLanguage !== undefined && { titleLanguage: titled.titleLanguage }),
      ...(context !== undefined && { context: redactUrl(context).url }),
      ...(endpoint !== undefined && { endpoint: redactUrl(endpoint).url }),
      ...(first.inline && { inline: true }),
      ...(redacted.ephemeral && { ephemeral: true }),
    }
  }
}

/** A signed query is no identity; the content of a document is another resource than the document. */
function keyOf({ url, inline }: Pick<Claim, 'url' | 'inline'>): string {
  const { ephemeral } = redactUrl(url)
  if (!ephemeral) return inline ? url : requestUrl(url)
  const { origin, pathname } = new URL(url)
  return origin + pathname
}

function rankOfSource(name: SourceName): number {
  return SOURCE_NAMES.indexOf(name)
}

function bySource(claims: readonly Claim[]): readonly Claim[] {
  return claims.toSorted((a, b) => rankOfSource(a.source.name) - rankOfSource(b.source.name))
}

function strongest(claims: readonly Claim[]): Claim {
  const [first] = bySource(claims)
  if (!first) throw new RangeError('An entry has at least one claim.')
  return first
}

/** Where nothing could be read at a path that several protocols share, whoever names it says what it was to be. */
function kindOf({ kind, state }: Pick<Finding, 'kind' | 'state'>, claims: readonly Claim[]): Kind {
  if (kind !== 'unknown-agent-json' || state === 'invalid') return kind
  const named = bySource(claims).find((claim) => claim.kind !== kind && claim.kind !== 'linked-resource')
  return named?.kind ?? kind
}

function distinctSources(claims: readonly Claim[]): readonly Source[] {
  const sources = bySource(claims).map(({ source }) => redacted(source))
  return [...new Map(sources.map((source) => [JSON.stringify(source), source])).values()]
}

function redacted({ document, ...source }: Source): Source {
  return document === undefined ? source : { ...source, document: redactUrl(document).url }
}

const STATE_ORDER: readonly ResourceState[] = [
  'verified',
  'reachable',
  'auth-required',
  'advertised',
  'invalid',
  'blocked',
  'inconclusive',
  'error',
  'soft-404',
  'absent',
]

/** Kinds that lead to others or stand for the whole site come first. */
const KIND_ORDER: readonly Kind[] = [
  'ahp-manifest',
  'aadp-manifest',
  'a2a-agent-card',
  'mcp-server-card',
  'mcp-directory',
  'mcp-endpoint',
  'ai-catalog',
  'api-catalog',
  'llms-txt',
  'openapi',
  'agent-skills-index',
  'auth-md',
  'oauth-protected-resource',
  'oauth-authorization-server',
  'openid-configuration',
  'markdown',
  'llms-full-txt',
]

function compare(a: Resource, b: Resource): number {
  return (
    STATE_ORDER.indexOf(a.state) - STATE_ORDER.indexOf(b.state) ||
    kindRank(a.kind) - kindRank(b.kind) ||
    a.warnings.length - b.warnings.length ||
    (a.url < b.url ? -1 : a.url > b.url ? 1 : 0)
  )
}

function kindRank(kind: Kind): number {
  const rank = KIND_ORDER.indexOf(kind)
  return rank === -1 ? KIND_ORDER.length : rank
}

function mergeAliases(resources: readonly Resource[]): readonly Resource[] {
  const merged = new Map<string, Resource>()
  for (const resource of resources) {
    const digest = resource.verified ? resource.evidence?.sha256 : undefined
    const key = digest === undefined ? resource.url : `${resource.kind} ${digest}`
    const first = merged.get(key)
    if (!first) merged.set(key, resource)
    else
      merged.set(key, {
        ...first,
        sources: [...first.sources, ...resource.sources],
        aliases: [...(first.aliases ?? []), resource.url],
      })
  }
  return [...merged.values()]
}
