import { isObject, ownMember } from '../own-member.js'
import { MODES } from './modes.js'

/** What a document at `/.well-known/agent.json` says it is. */
export type AgentJsonIdentity =
  | { readonly kind: 'ahp-manifest'; readonly version: string }
  | {
      readonly kind: 'a2a-agent-card'
      readonly version: '0.2' | '0.3' | '1.0'
      /** `low` where little tells a card from some other document. */
      readonly confidence: 'high' | 'low'
    }
  | { readonly kind: 'erc-8004-registration' }

/**
 * Tells by its content what a parsed `agent.json` is: AHP, A2A and others use the same path. One document can be two
 * things, and most documents are none. A document may be identified as a manifest and not be a valid one.
 */
export function identifyAgentJson(data: unknown): readonly AgentJsonIdentity[] {
  if (!isObject(data)) return []
  return [ahpManifest(data), a2aCard(data), erc8004Registration(data)].filter(
    (identity) => identity !== undefined,
  )
}

function ahpManifest(data: object): AgentJsonIdentity | undefined {
  const version = ownMember(data, 'ahp')
  const modes = ownMember(data, 'modes')
  const isManifest =
    typeof version === 'string' &&
    /^\d+\.\d+$/.test(version) &&
    Array.isArray(modes) &&
    modes.length > 0 &&
    modes.every((mode) => (MODES as readonly unknown[]).includes(mode))
  return isManifest ? { kind: 'ahp-manifest', version } : undefined
}

function a2aCard(data: object): AgentJsonIdentity | undefined {
  if (!Array.isArray(ownMember(data, 'skills'))) return undefined
  const interfaces = ownMember(data, 'supportedInterfaces')
  if (Array.isArray(interfaces) && interfaces.some((entry) => hasTexts(entry, ['url', 'protocolBinding'])))
    return { kind: 'a2a-agent-card', version: '1.0', confidence: 'high' }
  if (hasTexts(data, ['protocolVersion', 'url']))
    return { kind: 'a2a-agent-card', version: '0.3', confidence: 'high' }
  const looksLike02 =
    hasTexts(data, ['url']) &&
    isObject(ownMember(data, 'capabilities')) &&
    ownMember(data, 'schema_version') === undefined
  return looksLike02 ? { kind: 'a2a-agent-card', version: '0.2', confidence: 'low' } : undefined
}

function erc8004Registration(data: object): AgentJsonIdentity | undefined {
  const type = ownMember(data, 'type')
  const isRegistration =
    typeof type === 'string' && type.startsWith('https://eips.ethereum.org/EIPS/eip-8004')
  return isRegistration ? { kind: 'erc-8004-registration' } : undefined
}

function hasTexts(value: unknown, names: readonly string[]): boolean {
  return names.every((name) => typeof ownMember(value, name) === 'string')
}
