import { headerValues, type HeaderFields } from '../http/header-fields.js'
import { advertisedKind, currentRelation, metaKind } from '../kinds/advertised-kind.js'
import { pathKind } from '../kinds/path-kind.js'
import { parseLinkHeader, type DroppedLink, type Link } from '../link/parse-link-header.js'
import type { AgentNotice, ScannedHtml, WebMcpForm } from '../meta/scanned-html.js'
import type { Claim } from '../resources/resource-set.js'
import { parseContentSignal, type ContentSignal } from '../robots/content-signal.js'
import { parseContentUsage, type ContentUsage } from '../robots/content-usage.js'
import { cleanText } from '../text/untrusted-text.js'
import { redactUrl } from '../url/redact-url.js'
import { parseWwwAuthenticate } from '../www-authenticate/parse-www-authenticate.js'
import { resourceMetadataUrls } from '../www-authenticate/resource-metadata-urls.js'

/** Preferences and offers that are no resources. */
export interface ResponseSignals {
  readonly contentSignal?: ContentSignal
  readonly contentUsage?: ContentUsage
  readonly forms: readonly WebMcpForm[]
}

/** A link whose context lies on another origin: a claim about somebody else, never a resource of this site. */
export interface ForeignClaim {
  readonly url: string
  readonly context: string
  readonly relations: readonly string[]
}

/** What one response says, before anything is fetched. */
export interface ResponseReading {
  readonly claims: readonly Claim[]
  readonly foreign: readonly ForeignClaim[]
  readonly notices: readonly AgentNotice[]
  readonly signals: ResponseSignals
  readonly dropped: readonly DroppedLink[]
  /** Links that do not concern agents. */
  readonly ignoredLinks: number
  /** A limit was reached: something may be missing. */
  readonly truncated: boolean
}

/** Reads headers and a page that was scanned already. */
export function readResponse(
  url: string,
  headers: HeaderFields,
  page: ScannedHtml | undefined,
): ResponseReading {
  const header = parseLinkHeader(headerValues(headers, 'link'), { url })
  const own = header.links.filter((link) => !link.foreignContext)
  const links = own.map((link) => linkClaim(link, url))
  const pageClaims = page ? claimsOfPage(page) : { claims: [], ignored: 0 }
  return {
    claims: [
      ...links.filter((claim) => claim !== undefined),
      ...challengeClaims(url, headers),
      ...pageClaims.claims,
    ],
    foreign: header.links
      .filter(({ foreignContext }) => foreignContext)
      .map((link) => ({
        url: redactUrl(link.url).url,
        context: redactUrl(link.context).url,
        relations: link.rels,
      })),
    notices: (page?.notices ?? []).map(redacted),
    signals: readSignals(headers, page),
    dropped: [...header.dropped, ...(page?.dropped ?? [])],
    ignoredLinks: links.filter((claim) => claim === undefined).length + pageClaims.ignored,
    truncated: header.truncated || page?.truncated === true,
  }
}

function redacted({ url, text }: AgentNotice): AgentNotice {
  return url === undefined ? { text } : { url: redactUrl(url).url, text }
}

function linkClaim(link: Link, url: string): Claim | undefined {
  const kind = advertisedKind(link)
  if (!kind) return undefined
  return {
    url: link.url,
    kind,
    source: { name: 'http-link', relations: link.rels },
    title: link.title,
    titleLanguage: link.titleLanguage,
    mediaType: link.type,
    ...(link.context !== url && { context: link.context }),
    warnings: relationWarnings(link.rels),
  }
}

function claimsOfPage(page: ScannedHtml): { claims: readonly Claim[]; ignored: number } {
  const claims: Claim[] = []
  let ignored = page.ignoredLinks
  for (const link of page.links) {
    const kind = advertisedKind(link)
    if (!kind) {
      ignored++
      continue
    }
    const source = { name: 'html-link', relations: link.rels } as const
    claims.push({
      url: link.url,
      kind,
      source,
      title: link.title,
      mediaType: link.type,
      warnings: relationWarnings(link.rels),
    })
  }
  for (const { name, url } of page.metas) {
    claims.push({
      url,
      kind: metaKind(name) ?? 'linked-resource',
      source: { name: 'metadata', relations: [name] },
    })
  }
  for (const { url } of page.notices) {
    if (url !== undefined) claims.push({ url, kind: noticeKind(url), source: { name: 'notice' } })
  }
  return { claims, ignored }
}

/** The notice of AHP leads to its manifest, which lies at `agent.json` unless told otherwise. */
function noticeKind(url: string): Claim['kind'] {
  const kind = pathKind(url)
  return kind === 'unknown-agent-json' ? 'ahp-manifest' : (kind ?? 'linked-resource')
}

function relationWarnings(rels: readonly string[]): readonly string[] {
  return rels.flatMap((rel) => {
    const current = currentRelation(rel)
    return current === undefined || rels.includes(current)
      ? []
      : [`legacy-relation: ${rel} is ${current} now`]
  })
}

function challengeClaims(url: string, headers: HeaderFields): readonly Claim[] {
  const challenges = parseWwwAuthenticate(headerValues(headers, 'www-authenticate'))
  return resourceMetadataUrls(challenges, { url }).map((metadata) => ({
    url: metadata.url,
    kind: 'oauth-protected-resource',
    source: { name: 'challenge', via: `${cleanText(metadata.scheme, 40)} resource_metadata` },
  }))
}

function readSignals(headers: HeaderFields, page: ScannedHtml | undefined): ResponseSignals {
  const signal = headerValues(headers, 'content-signal').join(', ')
  const usage = headerValues(headers, 'content-usage').join(', ')
  return {
    ...(signal !== '' && { contentSignal: parseContentSignal(signal).signal }),
    ...(usage !== '' && { contentUsage: parseContentUsage(usage).usage }),
    forms: page?.forms ?? [],
  }
}
