import { keywordMessage } from './generated/keyword-message.js'
import type { SchemaError } from './generated/manifest/validators.js'

export function schemaErrorMessage(error: SchemaError): string {
  if (error.keyword === 'oneOf') return 'Must have a status that is defined, with the members of that status.'
  if (error.keyword === 'pattern' && RATE_PLACE.test(error.instancePath))
    return 'Must be a whole number per second, minute, hour or day, such as 120/minute.'
  if (error.keyword === 'pattern' && error.instancePath.endsWith('/token_budget'))
    return 'Must be a whole number per session, such as 20000/session.'
  if (error.keyword === 'type' && error.params['type'] === 'array') return 'Must be a list.'
  return keywordMessage(error)
}

const RATE_PLACE = /^\/rate_limit(?:$|s\/[^/]+\/requests$)/
