import type { ContentSignal } from './content-signal.js'
import type { ContentUsage } from './content-usage.js'
import { checkOption, isRecord } from '../options/check-option.js'
import { cleanText, wellFormed } from '../text/untrusted-text.js'
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

/**
 * Selects the group of an agent and, in it, what applies to a path: the rule with the longest matching path.
 *
 * @throws {AgentDiscoveryError} `invalid_option`
 */
export function robotsSignals(robots: Robots, options: RobotsSignalsOptions = {}): RobotsSignals {
  checkOption('options', isRecord(options), 'an object')
  const { userAgent = '*', path = '/' } = options
  checkOption('userAgent', typeof (userAgent as unknown) === 'string', 'a text')
  checkOption('path', typeof (path as unknown) === 'string', 'a text')
  const { group, token } = selectGroup(robots, productToken(userAgent))
  const octets = comparable(path.replaceAll('*', '%2A').replaceAll('$', '%24'))
  const rule = longestMatch(
    group.rules.filter((candidate) => candidate.path !== ''),
    octets,
  )
  const usage = longestMatch(group.contentUsage, octets)
  return {
    ...(token !== undefined && { group: token }),
    ...(group.contentSignal && { contentSignal: group.contentSignal }),
    ...(usage && {
      contentUsage: {
        usage: usage.usage,
        ...(usage.path !== undefined && { matchedPath: cleanText(usage.path, 200) }),
      },
    }),
    // Its own file is always allowed (RFC 9309, 2.2.2).
    allowed: path === '/robots.txt' || (rule?.allow ?? true),
  }
}

type SignallingGroup = Pick<RobotsGroup, 'rules' | 'contentSignal' | 'contentUsage'>

/** Groups of one token are one group (RFC 9309, 2.2.1). */
function selectGroup(robots: Robots, token: string): { group: SignallingGroup; token?: string } {
  for (const name of [token, '*']) {
    const groups = robots.groups.filter(({ userAgents }) => userAgents.includes(name))
    if (groups.length > 0) return { group: merge([...groups, robots.ungrouped]), token: name }
  }
  return { group: robots.ungrouped }
}

function merge(groups: readonly RobotsGroup[]): SignallingGroup {
  const signals = groups.flatMap(({ contentSignal }) => contentSignal ?? [])
  return {
    rules: groups.flatMap(({ rules }) => rules),
    contentUsage: groups.flatMap(({ contentUsage }) => contentUsage),
    ...(signals.length > 0 && { contentSignal: Object.assign({}, ...signals.toReversed()) as ContentSignal }),
  }
}

/** The longest pattern that matches; of equal ones an allowing rule (RFC 9309, 2.2.2), else the first. */
function longestMatch<Rule extends { readonly path?: string; readonly allow?: boolean }>(
  rules: readonly Rule[],
  path: string,
): Rule | undefined {
  let best: { readonly rule: Rule; readonly length: number } | undefined
  for (const rule of rules) {
    const pattern = comparable(rule.path ?? '')
    if (!matches(pattern, path)) continue
    const { length } = pattern
    const wins = !best || length > best.length || (length === best.length && !best.rule.allow && rule.allow)
    if (wins) best = { rule, length }
  }
  return best?.rule
}

/** Octets outside ASCII are compared percent-encoded, unreserved ones as they are (RFC 9309, 2.2.2). */
function comparable(path: string): string {
  return wellFormed(path)
    .replace(/[^\x21-\x7e]+/g, encodeURIComponent)
    .replace(/%[0-9a-f]{2}/gi, (octet) => {
      const character = String.fromCharCode(parseInt(octet.slice(1), 16))
      return /[\w.~-]/.test(character) ? character : octet.toUpperCase()
    })
}

/** Whether a path begins with a pattern in which `*` stands for any text and a final `$` for the end; linear in both. */
function matches(pattern: string, path: string): boolean {
  const anchored = pattern.endsWith('$')
  const prefix = anchored ? pattern.slice(0, -1) : pattern
  const [head = '', ...pieces] = prefix.replaceAll('$', '%24').split('*')
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
