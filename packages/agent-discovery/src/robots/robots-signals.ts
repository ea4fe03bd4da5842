import type { ContentSignal } from './content-signal.js'
import type { ContentUsage } from './content-usage.js'
import { productToken, type Robots, type RobotsGroup } from './parse-robots.js'

/** What robots.txt says to one agent about one path. */
export interface RobotsSignals {
  /** The product token of the group that applies; absent where none does. */
  readonly group?: string
  readonly contentSignal?: ContentSignal
  readonly contentUsage?: { readonly usage: ContentUsage; readonly matchedPath?: string }
  /** Whether the path may be fetched (RFC 9309, 2.2.2). */
  readonly allowed: boolean
}

/** Options of `robotsSignals`. */
export interface RobotsSignalsOptions {
  /** The agent's product token or `User-Agent` value. Default `*`. */
  readonly userAgent?: string
  /** Path and query of the page. Default `/`. */
  readonly path?: string
}

/** Selects the group of an agent and, in it, what applies to a path: the rule with the longest matching path. */
export function robotsSignals(robots: Robots, options: RobotsSignalsOptions = {}): RobotsSignals {
  const { userAgent = '*', path = '/' } = options
  const { group, token } = selectGroup(robots, productToken(userAgent))
  const rule = longestMatch(
    group.rules.filter((candidate) => candidate.path !== ''),
    path,
  )
  const usage = longestMatch(group.contentUsage, path)
  return {
    ...(token !== undefined && { group: token }),
    ...(group.contentSignal && { contentSignal: group.contentSignal }),
    ...(usage && {
      contentUsage: { usage: usage.usage, ...(usage.path !== undefined && { matchedPath: usage.path }) },
    }),
    allowed: rule?.allow ?? true,
  }
}

/** Groups of one token are one group (RFC 9309, 2.2.1). */
function selectGroup(robots: Robots, token: string): { group: RobotsGroup; token?: string } {
  for (const name of [token, '*']) {
    const groups = robots.groups.filter(({ userAgents }) => userAgents.includes(name))
    if (groups.length > 0) return { group: merge([...groups, robots.ungrouped]), token: name }
  }
  return { group: robots.ungrouped }
}

function merge(groups: readonly RobotsGroup[]): RobotsGroup {
  const signals = groups.flatMap(({ contentSignal }) => contentSignal ?? [])
  return {
    userAgents: groups.flatMap(({ userAgents }) => userAgents),
    rules: groups.flatMap(({ rules }) => rules),
    contentUsage: groups.flatMap(({ contentUsage }) => contentUsage),
    disallowAll: groups.some(({ disallowAll }) => disallowAll),
    malformed: groups.flatMap(({ malformed }) => malformed),
    ...(signals.length > 0 && { contentSignal: Object.assign({}, ...signals.toReversed()) as ContentSignal }),
  }
}

/** The longest pattern that matches; of equal ones an allowing rule (RFC 9309, 2.2.2), else the first. */
function longestMatch<Rule extends { readonly path?: string; readonly allow?: boolean }>(
  rules: readonly Rule[],
  path: string,
): Rule | undefined {
  let best: Rule | undefined
  for (const rule of rules) {
    if (rule.path !== undefined && !matches(rule.path, path)) continue
    const length = rule.path?.length ?? 0
    const bestLength = best?.path?.length ?? -1
    if (length > bestLength || (length === bestLength && best?.allow === false && rule.allow)) best = rule
  }
  return best
}

/** Whether a path begins with a pattern in which `*` stands for any text and a final `$` for the end; linear in both. */
function matches(pattern: string, path: string): boolean {
  const anchored = pattern.endsWith('$')
  const [head = '', ...pieces] = (anchored ? pattern.slice(0, -1) : pattern).split('*')
  if (!path.startsWith(head)) return false
  let position = head.length
  const last = pieces.pop()
  for (const piece of pieces) {
    const found = path.indexOf(piece, position)
    if (found === -1) return false
    position = found + piece.length
  }
  if (last === undefined) return !anchored || position === path.length
  return anchored
    ? path.length - last.length >= position && path.endsWith(last)
    : path.includes(last, position)
}
