import { InvalidArgumentError, UnknownKindError, UnsupportedAadpVersionError } from './errors.js'
import { validators, type SchemaError, type SchemaValidator } from './generated/validators.js'
import { pointerTo } from './json-pointer.js'
import { relevantErrors } from './relevant-errors.js'
import { ruleAt } from './rule-at.js'
import { schemaErrorMessage } from './schema-error-message.js'
import { KINDS, SUPPORTED_VERSIONS, type AadpVersion, type Kind } from './versions.js'

/** One way in which a document breaks its schema. */
export interface ValidationIssue {
  /** JSON Pointer (RFC 6901) to the offending value, or to the member that is missing or not allowed; `''` is the root. */
  readonly path: string
  /** Id of the broken rule in the specification, e.g. `AADP1-MAN-012`. */
  readonly rule: string
  /** The JSON Schema keyword that failed, e.g. `required`. */
  readonly keyword: string
  readonly message: string
}

/** The verdict of the schema; without issues a document is valid. */
export interface ValidationResult {
  readonly valid: boolean
  readonly issues: readonly ValidationIssue[]
}

/** What `validateDocument` judges, and as what. */
export interface DocumentToValidate {
  readonly version: AadpVersion
  readonly kind: Kind
  /** The parsed document; any value is accepted and judged. */
  readonly data: unknown
}

const VALID: ValidationResult = Object.freeze({ valid: true, issues: Object.freeze([]) })

/**
 * Judges the shape of a parsed document by the JSON Schema of exactly this version and kind. Whether its checksum is that
 * of its content, or its type that of its id, is not looked at.
 *
 * @throws {InvalidArgumentError} `invalid_argument`
 * @throws {UnsupportedAadpVersionError} `unsupported_version`
 * @throws {UnknownKindError} `unknown_kind`
 */
export function validateDocument(document: DocumentToValidate): ValidationResult {
  if (!isDocumentToValidate(document))
    throw new InvalidArgumentError('validateDocument takes one object: { version, kind, data }')
  const { version, kind, data } = document
  const validate = validatorFor(version, kind)
  if (validate(data)) return VALID
  const issues = relevantErrors(validate.errors ?? []).map((error) => toIssue(version, kind, error))
  return { valid: false, issues }
}

function isDocumentToValidate(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  return 'version' in value && 'kind' in value && 'data' in value
}

function validatorFor(version: AadpVersion, kind: Kind): SchemaValidator {
  if (!SUPPORTED_VERSIONS.includes(version))
    throw new UnsupportedAadpVersionError(version, SUPPORTED_VERSIONS)
  if (!KINDS.includes(kind)) throw new UnknownKindError(kind, KINDS)
  return validators[version][kind]
}

function toIssue(version: AadpVersion, kind: Kind, error: SchemaError): ValidationIssue {
  const path = placeOf(error)
  return {
    path,
    rule: ruleAt(version, kind, path),
    keyword: error.keyword,
    message: schemaErrorMessage(error),
  }
}

/** A missing or unwanted member is named itself, not the object around it. */
function placeOf(error: SchemaError): string {
  const { missingProperty, additionalProperty, propertyName } = error.params
  const member = missingProperty ?? additionalProperty ?? propertyName
  return typeof member === 'string' ? pointerTo(error.instancePath, member) : error.instancePath
}
