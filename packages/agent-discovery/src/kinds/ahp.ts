import {
  AHP_VERSION,
  checkManifestSemantics,
  validateManifest,
  type ValidationIssue,
} from '@doorplate/ahp-manifest'
import { arrayMember, objectMember, stringMember, type JsonObject } from '../json/json-value.js'
import { cleanText } from '../text/untrusted-text.js'
import { resolveWebUrl } from '../url/web-url.js'
import {
  judged,
  reachable,
  type Identification,
  type NamedResource,
  type ReceivedDocument,
} from './identification.js'
import { pathKind } from './path-kind.js'

const MAX_REASONS = 5

const MODES: ReadonlySet<unknown> = new Set(['MODE1', 'MODE2', 'MODE3'])

/** An AHP manifest. It shares a path with A2A cards; `ahp` and `modes` tell it apart. */
export function recognizeAhp(data: JsonObject, document: ReceivedDocument): Identification | undefined {
  const version = stringMember(data, 'ahp')
  const modes = arrayMember(data, 'modes')
  if (version === undefined || !/^\d{1,4}\.\d{1,4}$/.test(version)) return undefined
  if (!modes || modes.length === 0 || !modes.every((mode) => MODES.has(mode))) return undefined
  const finding = {
    signature: ['ahp is a "N.N" string', 'modes is a non-empty array of MODE1..3'],
    version,
    named: endpoints(data, document.url),
  }
  if (version !== AHP_VERSION) return reachable('ahp-manifest', 'unsupported-version', finding)
  const issues = [...validateManifest(data).issues, ...checkManifestSemantics(data)]
  return judged('ahp-manifest', describeErrors(issues), finding)
}

/** The contract package decides what is right; here its errors become reasons. */
function describeErrors(issues: readonly ValidationIssue[]): readonly string[] {
  const errors = issues.filter(({ level }) => level === 'error').slice(0, MAX_REASONS)
  return errors.map(({ rule, path }) => `${rule} at ${cleanText(path, 100) || '/'}`)
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
