import type { ValidationIssue } from '../validation-issue.js'

/**
 * Stable codes of the errors about manifests and their signals:
 * `invalid_manifest` (see `issues`), `a2a_agent_card` and `other_document` (something else is served at the path),
 * `not_json`, `too_large`, `invalid_option`.
 */
export type AhpManifestErrorCode =
  'invalid_manifest' | 'a2a_agent_card' | 'other_document' | 'not_json' | 'too_large' | 'invalid_option'

const BRAND = Symbol.for('@doorplate/ahp-manifest/error')

/** What an `AhpManifestError` says besides its code. */
export interface AhpManifestErrorOptions extends ErrorOptions {
  readonly issues?: readonly ValidationIssue[]
}

/** A manifest that cannot be used or published, or a call with an option that makes no sense. */
export class AhpManifestError extends Error {
  override readonly name = 'AhpManifestError'
  readonly code: AhpManifestErrorCode
  /** Of `invalid_manifest`: everything that was found, warnings included. */
  readonly issues: readonly ValidationIssue[]

  static {
    Object.defineProperty(this.prototype, BRAND, { value: true })
  }

  constructor(
    code: AhpManifestErrorCode,
    message: string,
    { issues = [], ...options }: AhpManifestErrorOptions = {},
  ) {
    super(message, options)
    this.code = code
    this.issues = issues
  }
}

/** True for errors of this kind, whichever installed copy threw them. */
export function isAhpManifestError(value: unknown): value is AhpManifestError {
  return typeof value === 'object' && value !== null && BRAND in value
}

/** `invalid_option` for the named option. */
export function invalidOption(option: string, requirement: string): AhpManifestError {
  return new AhpManifestError('invalid_option', `${option} ${requirement}`)
}

/** Refuses options that there are not, so that a misspelt one is not left out in silence. */
export function checkNames(options: object, names: readonly string[]): void {
  const unknown = Object.keys(options).find((name) => !names.includes(name))
  if (unknown !== undefined) throw invalidOption(unknown, `is not an option; there are ${names.join(', ')}`)
}

/** Refuses a mode of reading that does not exist. */
export function checkMode(mode: string | undefined): void {
  if (![undefined, 'strict', 'tolerant'].includes(mode))
    throw invalidOption('mode', 'must be strict or tolerant')
}

/** `invalid_manifest` whose message names the first few errors. */
export function invalidManifest(issues: readonly ValidationIssue[]): AhpManifestError {
  const errors = issues.filter(({ level }) => level === 'error')
  const named = errors.slice(0, 3).map(({ path, message }) => `${path === '' ? '(root)' : path}: ${message}`)
  const more = errors.length > 3 ? ` And ${errors.length - 3} more.` : ''
  return new AhpManifestError('invalid_manifest', `Not a valid AHP manifest. ${named.join(' ')}${more}`, {
    issues,
  })
}
