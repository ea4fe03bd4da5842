import { parseLinkHeader, type Link } from '../link/parse-link-header.js'
import { integerOption } from '../options/integer-option.js'
import { checkOption, isRecord } from '../options/check-option.js'
import { cleanText } from '../text/untrusted-text.js'
import type { Linkset, LinksetLink, ParseLinksetOptions } from './parse-linkset.js'

/** Options of `parseLinksetText`. */
export interface ParseLinksetTextOptions extends ParseLinksetOptions {
  /** Characters read. Default 1 048 576. */
  readonly maxLength?: number
}

/**
 * Reads a linkset in the syntax of the `Link` field, over as many lines as it likes (`application/linkset`, RFC 9264, 4.1). Good
 * links are given even if others are not; the path of an issue is empty.
 *
 * @throws {AgentDiscoveryError} `invalid_option`, `invalid_url`
 */
export function parseLinksetText(text: string, options: ParseLinksetTextOptions): Linkset {
  checkOption('text', typeof (text as unknown) === 'string', 'a text')
  checkOption('options', isRecord(options), 'an object')
  const { links, dropped, truncated } = parseLinkHeader(text, {
    url: options.url,
    maxLinks: integerOption('maxLinks', options.maxLinks, 500),
    maxLength: integerOption('maxLength', options.maxLength, 1_048_576),
  })
  const issues = dropped.map(({ text: written, reason }) => ({ path: '', message: `${reason}: ${written}` }))
  return { valid: issues.length === 0 && !truncated, links: links.flatMap(toLinks), issues, truncated }
}

function toLinks({ context, rels, url, type, title, parameters }: Link): readonly LinksetLink[] {
  const hreflang = parameters.filter(({ name }) => name === 'hreflang').map(({ value }) => value)
  const shared = {
    url,
    ...(type !== undefined && { type }),
    ...(title !== undefined && { title }),
    ...(hreflang.length > 0 && { hreflang: hreflang.slice(0, 16).map((tag) => cleanText(tag, 40)) }),
  }
  return rels.map((rel) => ({ anchor: context, rel, ...shared }))
}
