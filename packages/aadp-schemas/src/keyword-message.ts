import type { SchemaError } from './generated/validators.js'

/** What is wrong and what would be right, from the keyword that failed. Never quotes the document. */
export function keywordMessage({ keyword, params, schemaPath }: SchemaError): string {
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
      return count('least', params, 'character')
    case 'maxLength':
      return count('most', params, 'character')
    case 'minItems':
      return count('least', params, 'item')
    case 'maxItems':
      return count('most', params, 'item')
    case 'minProperties':
      return count('least', params, 'member')
    case 'minimum':
      return `Must be ${String(params['limit'])} or more.`
    case 'maximum':
      return `Must be ${String(params['limit'])} or less.`
    case 'uniqueItems':
      return `Items must differ; items ${String(params['j'])} and ${String(params['i'])} are equal.`
    case 'propertyNames':
      return 'The name of this member is not allowed here.'
    case 'anyOf':
    case 'oneOf':
      return 'Matches none of the forms that are allowed here.'
    default:
      return `Breaks ${schemaPath}.`
  }
}

function count(bound: 'least' | 'most', params: SchemaError['params'], unit: string): string {
  const limit = Number(params['limit'])
  return `Must have at ${bound} ${limit} ${unit}${limit === 1 ? '' : 's'}.`
}
