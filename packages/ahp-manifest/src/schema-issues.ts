import { pointerTo } from './generated/json-pointer.js'
import type { SchemaError, SchemaValidator } from './generated/manifest/validators.js'
import { relevantErrors } from './generated/relevant-errors.js'
import { ruleAt } from './rule-at.js'
import { schemaErrorMessage } from './schema-error-message.js'
import type { ValidationIssue } from './validation-issue.js'

/** More issues than this are not reported. */
export const MAX_ISSUES = 1000

/** What a compiled validator finds in a document, the first `MAX_ISSUES` of it. */
export function schemaIssues(
  validate: SchemaValidator,
  rules: Readonly<Record<string, string>>,
  data: unknown,
): ValidationIssue[] {
  if (validate(data)) return []
  return relevantErrors(validate.errors ?? [])
    .slice(0, MAX_ISSUES)
    .map((error) => toIssue(rules, error))
}

function toIssue(rules: Readonly<Record<string, string>>, error: SchemaError): ValidationIssue {
  const path = placeOf(error)
  const limit = error.params['limit']
  return {
    level: 'error',
    code: error.keyword,
    path,
    message: schemaErrorMessage(error),
    rule: ruleAt(rules, path),
    ...(typeof limit === 'number' ? { limit } : {}),
  }
}

/** A missing or unwanted member is named itself, not the object around it. */
function placeOf({ instancePath, params }: SchemaError): string {
  const member = params['missingProperty'] ?? params['additionalProperty']
  return typeof member === 'string' ? pointerTo(instancePath, member) : instancePath
}
