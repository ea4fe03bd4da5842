import { resultOf, type ValidationResult } from '../validation-issue.js'
import { checkMode, checkNames } from './ahp-manifest-error.js'
import { manifestSchemaIssues } from './manifest-issues.js'
import { readTolerantly } from './read-tolerantly.js'

/** Options of `validateManifest`. */
export interface ValidateManifestOptions {
  /**
   * `strict` judges what a site should publish: by the schema of this version. `tolerant` judges whether a visiting agent
   * can use it: what can be left out or read differently is a warning. Default: `strict`.
   */
  readonly mode?: 'strict' | 'tolerant'
}

/**
 * Judges a parsed manifest by its schema. Any value is judged, and none makes it throw. What the schema cannot say is
 * found by `checkManifestSemantics`.
 *
 * @throws {AhpManifestError} `invalid_option`
 */
export function validateManifest(data: unknown, options: ValidateManifestOptions = {}): ValidationResult {
  checkNames(options, ['mode'])
  checkMode(options.mode)
  if (options.mode === 'tolerant') return resultOf(readTolerantly(data).issues)
  return resultOf(manifestSchemaIssues(data))
}
