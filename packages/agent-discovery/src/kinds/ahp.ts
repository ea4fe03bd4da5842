import { arrayMember, objectMember, stringMember, type JsonObject } from '../json-value.js'
import { resolveWebUrl } from '../web-url.js'
import {
  reachable,
  type Identification,
  type NamedResource,
  type ReceivedDocument,
} from './identification.js'
import { pathKind } from './path-kind.js'

const MODES: ReadonlySet<unknown> = new Set(['MODE1', 'MODE2', 'MODE3'])

/** An AHP manifest. It shares a path with A2A cards; `ahp` and `modes` tell it apart. */
export function recognizeAhp(data: JsonObject, document: ReceivedDocument): Identification | undefined {
  const version = stringMember(data, 'ahp')
  const modes = arrayMember(data, 'modes')
  if (version === undefined || !/^\d{1,4}\.\d{1,4}$/.test(version)) return undefined
  if (!modes || modes.length === 0 || !modes.every((mode) => MODES.has(mode))) return undefined
  return reachable('ahp-manifest', 'contract-not-checked', {
    signature: ['ahp is a "N.N" string', 'modes is a non-empty array of MODE1..3'],
    version,
    named: endpoints(data, document.url),
  })
}

function endpoints(data: JsonObject, base: string): NamedResource[] {
  const members = objectMember(data, 'endpoints') ?? {}
  return ['converse', 'content'].flatMap((name) => {
    const reference = stringMember(members, name)
    const resolved = reference === undefined ? undefined : resolveWebUrl(reference, base)
    if (!resolved || 'problem' in resolved) return []
    const url = resolved.url.href
    const kind = name === 'converse' ? 'ahp-converse' : (pathKind(url) ?? 'linked-resource')
    return [{ url, kind, via: `endpoints.${name}` }]
  })
}
