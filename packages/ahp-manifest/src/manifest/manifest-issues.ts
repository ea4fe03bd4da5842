import { closest, distance } from 'fastest-levenshtein'
import { pointerTokens } from '../generated/json-pointer.js'
import { rules } from '../generated/manifest/rules.js'
import { validators } from '../generated/manifest/validators.js'
import { AHP_VERSION } from '../kinds.js'
import { placeAt } from '../rule-at.js'
import { schemaIssues } from '../schema-issues.js'
import type { ValidationIssue } from '../validation-issue.js'
import { checkManifestSemantics } from './check-manifest-semantics.js'

const RULES = rules[AHP_VERSION].manifest
const PLACES = Object.keys(RULES)

/** Longer than any name there is: the time of a comparison grows with both lengths. */
const MAX_NAME_LENGTH = 40

/** Letters that may be wrong in a name, as a share of them. */
const MAX_SHARE_OF_EDITS = 0.4

/** What the schema of the manifest finds in a document. */
export function manifestSchemaIssues(data: unknown): ValidationIssue[] {
  return schemaIssues(validators[AHP_VERSION].manifest, RULES, data).map(withNearestName)
}

/** What schema and semantic rules find. A place that breaks the schema is not told again by the others. */
export function manifestIssues(data: unknown): ValidationIssue[] {
  const broken = manifestSchemaIssues(data)
  const places = new Set(broken.map(({ path }) => path))
  return [...broken, ...checkManifestSemantics(data).filter(({ path }) => !places.has(path))]
}

function withNearestName(issue: ValidationIssue): ValidationIssue {
  if (issue.code !== 'additionalProperties') return issue
  const tokens = pointerTokens(issue.path)
  const name = tokens.pop() ?? ''
  const around = placeAt(RULES, tokens)
  const nearest = nearestName(
    name,
    PLACES.filter((place) => place.lastIndexOf('/') === around.length && place.startsWith(around)).map(
      (place) => place.slice(around.length + 1),
    ),
  )
  return nearest === undefined ? issue : { ...issue, message: `${issue.message} Did you mean ${nearest}?` }
}

function nearestName(name: string, known: readonly string[]): string | undefined {
  if (name.length > MAX_NAME_LENGTH || known.length === 0) return undefined
  const nearest = closest(name.toLowerCase(), known)
  const edits = distance(name.toLowerCase(), nearest)
  return edits <= Math.max(1, nearest.length * MAX_SHARE_OF_EDITS) ? nearest : undefined
}
