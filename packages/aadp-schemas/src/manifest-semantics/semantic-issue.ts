/** One finding about the meaning of a manifest that its schema cannot express. */
export interface SemanticIssue {
  /** An `error` makes the manifest unusable for a strict reader; a `warning` does not. */
  readonly level: 'error' | 'warning'
  /** Stable code, e.g. `duplicate_resource_type` or `possible_secret_value:jwt`. */
  readonly code: string
  /** JSON Pointer (RFC 6901) to the offending value; `''` is the root. */
  readonly path: string
  readonly message: string
  /** Id of the broken rule in the specification. */
  readonly rule: string
}

/** True when at least one issue is an error. */
export function hasSemanticErrors(issues: readonly SemanticIssue[]): boolean {
  return issues.some((issue) => issue.level === 'error')
}
