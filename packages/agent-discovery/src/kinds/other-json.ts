import { arrayMember, isObject, objectMember, stringMember, type JsonObject } from '../json/json-value.js'
import { cleanText } from '../text/untrusted-text.js'
import { parseAidRecord } from '../dns/aid-record.js'
import {
  invalid,
  judged,
  reachable,
  verified,
  type Identification,
  type ReceivedDocument,
} from './identification.js'
import type { Kind } from '../resources/kind.js'

/** Documents with one mark each. */
export function recognizeOther(data: JsonObject, document: ReceivedDocument): Identification | undefined {
  return (
    agentsJson(data) ??
    aiPlugin(data, document) ??
    keyDirectory(data, document) ??
    commerceProfile(data) ??
    nlweb(data, document) ??
    aidFallback(data, document)
  )
}

function agentsJson(data: JsonObject): Identification | undefined {
  const version = stringMember(data, 'agentsJson')
  if (version === undefined) return undefined
  const reasons = arrayMember(data, 'flows') ? [] : ['missing-member: flows']
  return judged('agents-json', reasons, {
    version: cleanText(version, 20),
    signature: ['agentsJson is a version'],
  })
}

/** The manifest of ChatGPT plugins, out of use since 2024. Elsewhere than at its path it is an imitation. */
function aiPlugin(data: JsonObject, { promised }: ReceivedDocument): Identification | undefined {
  const api = objectMember(data, 'api')
  if (!stringMember(data, 'schema_version') || !stringMember(data, 'name_for_model') || !api) return undefined
  const finding = { signature: ['schema_version, name_for_model and api'], warnings: ['out-of-use'] }
  if (promised !== 'openai-ai-plugin')
    return reachable('openai-ai-plugin-lookalike', 'unexpected-path', finding)
  return judged(
    'openai-ai-plugin',
    stringMember(api, 'url') === undefined ? ['missing-member: api.url'] : [],
    finding,
  )
}

function keyDirectory(
  data: JsonObject,
  { mediaType, promised }: ReceivedDocument,
): Identification | undefined {
  const kind = 'http-message-signatures-directory'
  const keys = arrayMember(data, 'keys')
  if (!keys || (promised !== kind && mediaType !== `application/${kind}+json`)) return undefined
  const good = keys.length > 0 && keys.every((key) => isObject(key) && stringMember(key, 'kty') !== undefined)
  return judged(kind, good ? [] : ['no-usable-key'], { signature: ['keys is an array of JWKs'] })
}

function commerceProfile(data: JsonObject): Identification | undefined {
  const ucp = objectMember(data, 'ucp')
  const version = ucp && stringMember(ucp, 'version')
  return version === undefined
    ? undefined
    : verified('ucp-profile', { version: cleanText(version, 20), signature: ['ucp.version'] })
}

/** NLWeb has no schema for this file: there is nothing to verify it by. */
function nlweb(data: JsonObject, { promised }: ReceivedDocument): Identification | undefined {
  return promised === 'nlweb' && Object.keys(data).length > 0
    ? reachable('nlweb', 'no-known-signature')
    : undefined
}

/** `/.well-known/agent`: an AID record as JSON, for clients without DNS. */
function aidFallback(data: JsonObject, { promised }: ReceivedDocument): Identification | undefined {
  if (promised !== 'aid') return undefined
  const pairs = Object.entries(data).filter(
    (pair): pair is [string, string] => typeof pair[1] === 'string' && !pair[1].includes(';'),
  )
  const version = pairs.find(([name]) => /^v(?:ersion)?$/i.test(name))
  if (!version) return undefined
  const result = parseAidRecord([
    [version, ...pairs.filter((pair) => pair !== version)].map((pair) => pair.join('=')).join(';'),
  ])
  if ('problem' in result) return invalid('aid', [result.problem])
  const { record } = result
  return verified('aid', {
    version: record.version,
    variant: record.protocol,
    signature: ['AID version and address'],
    ...(record.url !== undefined && { endpoint: record.url }),
    ...(record.locator !== undefined && { claims: { locator: record.locator } }),
  })
}

/** What an unrecognised document at a conventional path is called. */
const UNRECOGNISED: ReadonlyMap<Kind, Kind> = new Map<Kind, Kind>([
  ['unknown-agent-json', 'unknown-agent-json'],
  ['a2a-agent-card', 'unknown-agent-json'],
  ['ahp-manifest', 'unknown-agent-json'],
  ['aadp-manifest', 'unknown-ai-manifest'],
  ['agents-json', 'agents-list-adhoc'],
])

/** A JSON document that nothing recognised: not what its path promises, if that promises anything. */
export function unrecognised({ promised }: ReceivedDocument): Identification {
  if (promised === undefined) return reachable('unknown-json', 'no-known-signature')
  return invalid(UNRECOGNISED.get(promised) ?? promised, ['signature-mismatch'])
}
