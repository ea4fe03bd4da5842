import { keywordMessage } from './generated/keyword-message.js'
import type { SchemaError } from './generated/manifest/validators.js'

export function schemaErrorMessage(error: SchemaError): string {
  return error.keyword === 'oneOf'
    ? 'Must have a status that is defined, with the members of that status.'
    : keywordMessage(error)
}
