import { pointerTokens } from './generated/json-pointer.js'
import { MAX_ISSUES } from './schema-issues.js'
import type { ValidationIssue } from './validation-issue.js'

/** What to do with the value at a place: leave it out, or put another in its place. */
export type Fix = typeof OMIT | ((value: unknown) => unknown)
export const OMIT: unique symbol = Symbol('omit')

export interface RepairOptions {
  readonly issuesOf: (document: unknown) => readonly ValidationIssue[]
  /** A better fix than leaving the value out; undefined where there is none. */
  readonly fixFor: (issue: ValidationIssue, value: unknown) => Fix | undefined
  /** Issues to live with. */
  readonly isTolerated: (issue: ValidationIssue) => boolean
}

export interface Repaired {
  /** A changed copy, or the document itself when nothing had to change; undefined when nothing usable is left. */
  readonly document: unknown
  /** Everything that was wrong, round by round. */
  readonly issues: readonly ValidationIssue[]
}

/**
 * Makes a document valid by leaving out what is not: a member or item that is wrong, an object that lacks a member it
 * must have. Every round changes the document, so that the rounds end; each is linear in its size. A document with
 * `MAX_ISSUES` faults is not worth it.
 */
export function repair(document: unknown, options: RepairOptions): Repaired {
  const issues: ValidationIssue[] = []
  let current = document
  for (;;) {
    const found = options.issuesOf(current)
    const pending = found.filter((issue) => !options.isTolerated(issue))
    issues.push(...(pending.length === 0 ? found : pending))
    if (pending.length === 0) return { document: current, issues }
    const edits = editsFor(current, pending, options)
    if (found.length >= MAX_ISSUES || edits.fix === OMIT) return { document: undefined, issues }
    current = edited(current, edits)
  }
}

/** The edits of one round, as a tree along the document. */
interface Edits {
  fix?: Fix
  readonly inside: Map<string, Edits>
}

function editsFor(document: unknown, issues: readonly ValidationIssue[], { fixFor }: RepairOptions): Edits {
  const root: Edits = { inside: new Map() }
  for (const issue of issues) {
    const tokens = pointerTokens(issue.path)
    if (issue.code === 'required') tokens.pop()
    const { edits, value } = descend(root, document, tokens)
    const fix = issue.code === 'required' ? OMIT : (fixFor(issue, value) ?? OMIT)
    if (edits.fix !== OMIT) edits.fix = fix
  }
  return root
}

function descend(
  root: Edits,
  document: unknown,
  tokens: readonly string[],
): { edits: Edits; value: unknown } {
  let edits = root
  let value = document
  for (const token of tokens) {
    let next = edits.inside.get(token)
    if (next === undefined) edits.inside.set(token, (next = { inside: new Map() }))
    edits = next
    value =
      typeof value === 'object' && value !== null && Object.hasOwn(value, token)
        ? value[token as keyof typeof value]
        : undefined
  }
  return { edits, value }
}

function edited(value: unknown, { fix, inside }: Edits): unknown {
  if (typeof fix === 'function') return fix(value)
  if (typeof value !== 'object' || value === null || inside.size === 0) return value
  const kept = Object.entries(value)
    .filter(([key]) => inside.get(key)?.fix !== OMIT)
    .map(([key, child]: [string, unknown]) => {
      const edits = inside.get(key)
      return [key, edits === undefined ? child : edited(child, edits)] as const
    })
  return Array.isArray(value) ? kept.map(([, child]) => child) : Object.fromEntries(kept)
}
