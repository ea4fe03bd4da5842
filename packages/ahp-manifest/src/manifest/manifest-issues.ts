import { rules } from '../generated/manifest/rules.js'
import { validators } from '../generated/manifest/validators.js'
import { AHP_VERSION } from '../kinds.js'
import { schemaIssues } from '../schema-issues.js'
import type { ValidationIssue } from '../validation-issue.js'

/** What the schema of the manifest finds in a document. */
export function manifestSchemaIssues(data: unknown): ValidationIssue[] {
  return schemaIssues(validators[AHP_VERSION].manifest, rules[AHP_VERSION].manifest, data)
}
