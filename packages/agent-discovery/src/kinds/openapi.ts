import { member, objectMember, stringMember, type JsonObject } from '../json/json-value.js'
import { cleanText } from '../text/untrusted-text.js'
import { judged, verified, type Identification } from './identification.js'

/** An OpenAPI 3.x or Swagger 2.0 description in JSON. */
export function recognizeOpenapi(data: JsonObject): Identification | undefined {
  const openapi = stringMember(data, 'openapi')
  const version =
    openapi !== undefined && /^3\.\d+\.\d+/.test(openapi)
      ? openapi
      : stringMember(data, 'swagger') === '2.0'
        ? '2.0'
        : undefined
  if (version === undefined) return undefined
  const info = objectMember(data, 'info')
  const reasons = [
    ...(info && stringMember(info, 'title') !== undefined ? [] : ['missing-member: info.title']),
    ...(['paths', 'components', 'webhooks'].some((name) => member(data, name) !== undefined)
      ? []
      : ['missing-member: paths']),
  ]
  return judged('openapi', reasons, {
    version: cleanText(version, 20),
    signature: ['openapi or swagger version'],
  })
}

/** The same in YAML, known by its top-level keys. */
export function recognizeOpenapiYaml(text: string): Identification | undefined {
  const [, version] = /^(?:openapi|swagger):[ \t]*['"]?((?:3\.\d+\.\d+|2\.0))/m.exec(text) ?? []
  if (version === undefined || !/^info:/m.test(text) || !/^(?:paths|components|webhooks):/m.test(text))
    return undefined
  return verified('openapi', { variant: 'yaml', version, signature: ['openapi or swagger version'] })
}
