import { rules } from '../generated/messages/rules.js'
import { validators } from '../generated/messages/validators.js'
import { AHP_VERSION, type MessageKind } from '../kinds.js'
import { schemaIssues } from '../schema-issues.js'
import type { ValidationIssue } from '../validation-issue.js'

/** What the schema of a kind of message finds in a document. */
export function messageIssues(kind: MessageKind, data: unknown): ValidationIssue[] {
  return schemaIssues(validators[AHP_VERSION][kind], rules[AHP_VERSION][kind], data)
}
