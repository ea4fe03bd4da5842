import type { SchemaError } from './generated/validators.js'
import { keywordMessage } from './keyword-message.js'

export function schemaErrorMessage(error: SchemaError): string {
  return error.keyword === 'additionalProperties'
    ? 'This member is not defined here; own members start with x_ where extensions are allowed.'
    : keywordMessage(error)
}
