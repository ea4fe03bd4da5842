/** One way in which a document breaks its schema or a semantic rule. */
export interface ValidationIssue {
  /** A `warning` does not make the document invalid. */
  readonly level: 'error' | 'warning'
  /** The JSON Schema keyword that failed, e.g. `required`, or the code of a semantic rule, e.g. `missing_action_type`. */
  readonly code: string
  /** JSON Pointer (RFC 6901) to the offending value, or to the member that is missing or not allowed; `''` is the root. */
  readonly path: string
  readonly message: string
  /** Id of the broken rule in the specification, e.g. `AHP01-MAN-012`. */
  readonly rule: string
  /** Of a keyword that has one, e.g. `maxLength`: the limit that is exceeded. */
  readonly limit?: number
}

/** The verdict on a document. */
export interface ValidationResult {
  /** True when no issue is an error. */
  readonly valid: boolean
  readonly issues: readonly ValidationIssue[]
}

/** The verdict that follows from issues. */
export function resultOf(issues: readonly ValidationIssue[]): ValidationResult {
  return { valid: !issues.some(({ level }) => level === 'error'), issues }
}
