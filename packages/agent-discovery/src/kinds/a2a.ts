import {
  arrayMember,
  isObject,
  member,
  objectMember,
  stringMember,
  type JsonObject,
} from '../json/json-value.js'
import { cleanText } from '../text/untrusted-text.js'
import { resolveWebUrl } from '../url/web-url.js'
import { invalid, verified, type Identification, type ReceivedDocument } from './identification.js'

/** What every version requires besides its marks. */
const REQUIRED = [
  'name',
  'description',
  'version',
  'capabilities',
  'defaultInputModes',
  'defaultOutputModes',
] as const

/** An A2A agent card of 0.2, 0.3 or 1.0. A card of 1.0 has no `url` of its own. */
export function recognizeA2a(data: JsonObject, document: ReceivedDocument): Identification | undefined {
  if (!arrayMember(data, 'skills')) return undefined
  if (arrayMember(data, 'supportedInterfaces')) return card1(data, document)
  if (stringMember(data, 'url') === undefined) return undefined
  if (stringMember(data, 'protocolVersion') !== undefined)
    return card0(data, document, '0.3', ['protocolVersion, url and skills'])
  const isCard0 =
    objectMember(data, 'capabilities') &&
    arrayMember(data, 'defaultInputModes') &&
    arrayMember(data, 'defaultOutputModes') &&
    member(data, 'schema_version') === undefined
  return isCard0
    ? card0(data, document, '0.2', ['url, skills, default modes and a capabilities object'])
    : undefined
}

function card1(data: JsonObject, document: ReceivedDocument): Identification {
  const interfaces = (arrayMember(data, 'supportedInterfaces') ?? []).filter(isObject)
  const usable = interfaces.filter(
    (item) => stringMember(item, 'protocolBinding') && stringMember(item, 'url'),
  )
  const finding = {
    version: '1.0',
    signature: ['supportedInterfaces and skills are arrays'],
    ...address(usable[0], document),
    warnings: [...pathWarnings(document), ...missing(data)],
  }
  return usable.length === 0
    ? invalid('a2a-agent-card', ['no-usable-interface'], finding)
    : verified('a2a-agent-card', finding)
}

function card0(
  data: JsonObject,
  document: ReceivedDocument,
  version: string,
  signature: readonly string[],
): Identification {
  const stated = stringMember(data, 'protocolVersion')
  const finding = {
    version,
    signature,
    ...address(data, document),
    warnings: [
      ...pathWarnings(document),
      ...(version === '0.2' ? ['low-confidence'] : []),
      ...(stated !== undefined && !stated.startsWith('0.')
        ? [`protocol-version-mismatch: ${cleanText(stated, 20)}`]
        : []),
      ...missing(data),
    ],
  }
  return 'endpoint' in finding
    ? verified('a2a-agent-card', finding)
    : invalid('a2a-agent-card', ['unusable-url'], finding)
}

function address(holder: JsonObject | undefined, { url }: ReceivedDocument): { endpoint?: string } {
  const resolved = resolveWebUrl((holder && stringMember(holder, 'url')) ?? 'invalid:', url)
  return 'url' in resolved ? { endpoint: resolved.url.href } : {}
}

function pathWarnings({ url, promised }: ReceivedDocument): readonly string[] {
  const legacy = new URL(url).pathname === '/.well-known/agent.json'
  if (legacy) return ['legacy-path: the current path is /.well-known/agent-card.json']
  return promised !== undefined && promised !== 'a2a-agent-card' ? ['unexpected-path'] : []
}

function missing(data: JsonObject): readonly string[] {
  return REQUIRED.filter((name) => member(data, name) === undefined).map((name) => `missing-member: ${name}`)
}
