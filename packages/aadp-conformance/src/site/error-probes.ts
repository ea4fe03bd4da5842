import type { RequestLog } from '@doorplate/conformance-kit'
import type { NegativeTargets } from '../options.js'
import type { EntityExample } from './entity-example.js'
import { readDocument, type DocumentReading } from './read-document.js'
import { withCursor, type SitemapWalk } from './walk-sitemap.js'

/** A request that must fail, and what came back. */
export interface ErrorProbe {
  readonly reading: DocumentReading
  /** True when the URL was made from another one and not given by somebody who knows the site. */
  readonly isDerived: boolean
}

/** The requests that a site has to refuse. Those that cannot be made are absent. */
export interface ErrorProbes {
  readonly badCursor?: ErrorProbe
  readonly notFound?: ErrorProbe
  readonly unsupportedType?: ErrorProbe
  readonly invalidId?: ErrorProbe
}

/** A name and a type that nobody gives to anything. */
const ABSENT_NAME = 'doorplate-conformance-absent'

const INVALID_NAME = 'NOT.A.TOKEN'

/** Sends them. A cursor that the site did not issue can be sent to every sitemap; URLs are opaque, so others are guesses. */
export async function probeErrors(
  log: RequestLog,
  targets: NegativeTargets,
  walk: SitemapWalk | undefined,
  example: EntityExample | undefined,
): Promise<ErrorProbes> {
  const name = example?.chosen.item.id.split(':')[1]
  const entityUrl = example?.chosen.item.url
  const { unknownEntityUrl, unknownTypeUrl } = targets
  const [badCursor, notFound, unsupportedType, invalidId] = await Promise.all([
    probe(log, walk && withCursor(walk.entry.url, ABSENT_NAME), false),
    probe(
      log,
      unknownEntityUrl ?? replaceInUrl(entityUrl, name, ABSENT_NAME),
      unknownEntityUrl === undefined,
    ),
    probe(
      log,
      unknownTypeUrl ?? replaceInUrl(walk?.entry.url, walk?.entry.type, ABSENT_NAME),
      unknownTypeUrl === undefined,
    ),
    probe(log, replaceInUrl(entityUrl, name, INVALID_NAME), true),
  ])
  return {
    ...(badCursor && { badCursor }),
    ...(notFound && { notFound }),
    ...(unsupportedType && { unsupportedType }),
    ...(invalidId && { invalidId }),
  }
}

/**
 * Replaces a name where a URL visibly has it: as the last such segment of the path, with or without an extension, or as
 * the value of a query parameter.
 */
export function replaceInUrl(
  from: string | undefined,
  name: string | undefined,
  replacement: string,
): string | undefined {
  if (from === undefined || name === undefined || !URL.canParse(from)) return undefined
  const url = new URL(from)
  const segments = url.pathname.split('/')
  const position = segments.findLastIndex((segment) => segment === name || segment.startsWith(`${name}.`))
  if (position >= 0) {
    segments[position] = `${replacement}${(segments[position] ?? '').slice(name.length)}`
    url.pathname = segments.join('/')
    return url.href
  }
  const parameter = [...url.searchParams].find(([, value]) => value === name)?.[0]
  if (parameter === undefined) return undefined
  url.searchParams.set(parameter, replacement)
  return url.href
}

async function probe(
  log: RequestLog,
  url: string | undefined,
  isDerived: boolean,
): Promise<ErrorProbe | undefined> {
  return url === undefined ? undefined : { reading: await readDocument(log, { url }), isDerived }
}
