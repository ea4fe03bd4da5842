import { checkOption, isRecord } from '../options/check-option.js'
import { integerOption } from '../options/integer-option.js'
import { arrayMember, isObject, member, stringMember, type JsonObject } from '../json/json-value.js'
import { normalizeRelation } from '../link/relation.js'
import { cleanText } from '../text/untrusted-text.js'
import { baseUrl, resolveWebUrl } from '../url/web-url.js'

/** A link of a linkset, its URLs absolute. */
export interface LinksetLink {
  /** The absolute URL that the link is about. */
  readonly anchor: string
  readonly rel: string
  readonly url: string
  readonly type?: string
  readonly title?: string
  readonly hreflang?: readonly string[]
}

/** A fault of a linkset, and where it is. */
export interface LinksetIssue {
  /** JSON Pointer (RFC 6901) into the document; empty for one that is no JSON. */
  readonly path: string
  readonly message: string
}

/** The links of a linkset document (RFC 9264). */
export interface Linkset {
  /** Whether the document is a linkset without a fault. */
  readonly valid: boolean
  readonly links: readonly LinksetLink[]
  readonly issues: readonly LinksetIssue[]
  readonly truncated: boolean
}

/** Options of `parseLinkset`. */
export interface ParseLinksetOptions {
  /** The URL of the document: the base of its references and the anchor of contexts without one. */
  readonly url: string | URL
  /** Links kept; as many issues at most. Default 500. */
  readonly maxLinks?: number
}

const MAX_TEXT = 200

/**
 * Reads a parsed linkset (`application/linkset+json`, RFC 9264, 4.2). Good links are given even if others are not.
 *
 * @throws {AgentDiscoveryError} `invalid_option`, `invalid_url`
 */
export function parseLinkset(data: unknown, options: ParseLinksetOptions): Linkset {
  checkOption('options', isRecord(options), 'an object')
  const reader = new LinksetReader(baseUrl(options.url), integerOption('maxLinks', options.maxLinks, 500))
  reader.read(data)
  const { links, issues, truncated } = reader
  return { valid: issues.length === 0 && !truncated, links, issues, truncated }
}

class LinksetReader {
  readonly links: LinksetLink[] = []
  readonly issues: LinksetIssue[] = []
  truncated = false
  readonly #base: URL
  readonly #maxLinks: number

  constructor(base: URL, maxLinks: number) {
    this.#base = base
    this.#maxLinks = maxLinks
  }

  read(data: unknown): void {
    const contexts = isObject(data) ? arrayMember(data, 'linkset') : undefined
    if (!contexts) {
      this.#issue('', 'A linkset is an object with an array named linkset.')
      return
    }
    for (const [index, context] of contexts.entries()) {
      if (this.#full()) return
      if (isObject(context)) this.#readContext(context, `/linkset/${index}`)
      else this.#issue(`/linkset/${index}`, 'A link context is an object.')
    }
  }

  #readContext(context: JsonObject, path: string): void {
    const anchor = resolveWebUrl(stringMember(context, 'anchor') ?? '', this.#base)
    const hasAnchor = member(context, 'anchor') === undefined || typeof member(context, 'anchor') === 'string'
    if (!hasAnchor || 'problem' in anchor) {
      this.#issue(`${path}/anchor`, 'An anchor is a URI reference.')
      return
    }
    for (const [name, targets] of Object.entries(context)) {
      if (name === 'anchor') continue
      const targetsPath = `${path}/${escapePointer(name)}`
      if (!Array.isArray(targets)) {
        this.#issue(targetsPath, 'The targets of a relation are an array.')
        continue
      }
      for (const [index, target] of (targets as unknown[]).entries()) {
        if (this.#full()) return
        this.#readTarget(anchor.url.href, name, target, `${targetsPath}/${index}`)
      }
    }
  }

  #readTarget(anchor: string, relation: string, target: unknown, path: string): void {
    const href = isObject(target) ? stringMember(target, 'href') : undefined
    const resolved = href === undefined ? undefined : resolveWebUrl(href, this.#base)
    if (!isObject(target) || !resolved || 'problem' in resolved) {
      this.#issue(path, 'A link target is an object with an href that is an http or https reference.')
      return
    }
    const type = stringMember(target, 'type')
    const title = stringMember(target, 'title')
    const hreflang = arrayMember(target, 'hreflang')?.filter((tag): tag is string => typeof tag === 'string')
    this.links.push({
      anchor,
      rel: normalizeRelation(cleanText(relation, MAX_TEXT)),
      url: resolved.url.href,
      ...(type !== undefined && { type: cleanText(type, MAX_TEXT).toLowerCase() }),
      ...(title !== undefined && { title: cleanText(title, MAX_TEXT) }),
      ...(hreflang && { hreflang: hreflang.slice(0, 16).map((tag) => cleanText(tag, 40)) }),
    })
  }

  #issue(path: string, message: string): void {
    this.issues.push({ path, message })
  }

  #full(): boolean {
    const full = this.links.length >= this.#maxLinks || this.issues.length >= this.#maxLinks
    if (full) this.truncated = true
    return full
  }
}

function escapePointer(name: string): string {
  return cleanText(name, MAX_TEXT).replaceAll('~', '~0').replaceAll('/', '~1')
}
