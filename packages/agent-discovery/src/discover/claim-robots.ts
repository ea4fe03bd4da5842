import { pathKind } from '../kinds/path-kind.js'
import type { FoundDocument } from '../probe/probe-origin.js'
import type { ResourceSet } from '../resources/resource-set.js'
import { parseRobots } from '../robots/parse-robots.js'
import { robotsSignals, type RobotsSignals } from '../robots/robots-signals.js'

/** Claims what robots.txt points to, if it was found, and tells what it says of a page to an agent. */
export function claimRobots(
  set: ResourceSet,
  documents: readonly FoundDocument[],
  pageUrl: string,
  userAgent = '*',
): RobotsSignals | undefined {
  const file = documents.find(
    ({ url, identification }) => pathKind(url) === 'robots-txt' && identification.verdict === 'verified',
  )
  if (!file) return undefined
  const robots = parseRobots(file.text, { url: file.url })
  for (const { url, kind, field } of robots.pointers)
    set.claim({ url, kind, source: { name: 'robots', via: field } })
  const { pathname, search } = new URL(pageUrl)
  return robotsSignals(robots, { userAgent, path: pathname + search })
}
