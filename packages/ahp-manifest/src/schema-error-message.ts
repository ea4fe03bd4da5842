import type { SchemaError } from './generated/manifest/validators.js'

/** What is wrong and what would be right, from the keyword that failed. Never quotes the document. */
export function schemaErrorMessage({ keyword, params, schemaPath }: SchemaError): string {
  switch (keyword) {
    case 'required':
      return 'This member is required.'
    case 'additionalProperties':
      return 'This member is not defined here.'
    case 'type':
      return `Must be of type ${String(params['type']).replace(',', ' or ')}.`
    case 'const':
      return `Must be ${JSON.stringify(params['allowedValue'])}.`
    case 'enum':
      return `Must be one of ${JSON.stringify(params['allowedValues'])}.`
    case 'pattern':
      return `Must match ${String(params['pattern'])}.`
    case 'format':
      return params['format'] === 'uri'
        ? 'Must be an absolute URI.'
        : 'Must be a date and time with a zone (RFC 3339).'
    case 'minLength':
      return 'Must not be empty.'
    case 'maxLength':
      return `Must have at most ${String(params['limit'])} characters.`
    case 'minItems':
      return 'Must have at least one item.'
    case 'minimum':
      return `Must be ${String(params['limit'])} or more.`
    case 'maximum':
      return `Must be ${String(params['limit'])} or less.`
    case 'uniqueItems':
      return `Items must differ; items ${String(params['j'])} and ${String(params['i'])} are equal.`
    case 'oneOf':
      return 'Must have a status that is defined, with the members of that status.'
    default:
      return `Breaks ${schemaPath}.`
  }
}
