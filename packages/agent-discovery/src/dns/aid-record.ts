import { cleanText } from '../text/untrusted-text.js'
import { resolveWebUrl } from '../url/web-url.js'

/** An Agent Identity and Discovery record: `_agent.<domain>` TXT. Nothing in it is authenticated without DNSSEC. */
export interface AidRecord {
  readonly version: 'aid1' | 'aid2'
  /** e.g. `mcp`, `a2a`, `openapi`; `local` and `zeroconf` name something that is never fetched or run. */
  readonly protocol: string
  /** The address of a remote agent (https, or wss for `websocket`). */
  readonly url?: string
  /** What a `local` or `zeroconf` record names, as text. */
  readonly locator?: string
  readonly auth?: string
  readonly description?: string
  readonly docs?: string
  /** When the record is to be given up, as written (ISO 8601). */
  readonly deprecation?: string
  readonly publicKey?: string
  readonly keyId?: string
  readonly unknownKeys: readonly string[]
}

/** Why a TXT record is no usable AID record. */
export type AidProblem =
  | 'not-aid'
  | 'missing-uri'
  | 'missing-protocol'
  | 'unknown-protocol'
  | 'remote-uri-not-https'
  | 'invalid-uri'
  | 'repeated-key'
  | 'key-without-id'

/** An AID record, or why there is none. */
export type AidResult = { readonly record: AidRecord } | { readonly problem: AidProblem }

const KEYS: ReadonlyMap<string, string> = new Map([
  ['v', 'v'],
  ['version', 'v'],
  ['u', 'u'],
  ['uri', 'u'],
  ['p', 'p'],
  ['proto', 'p'],
  ['a', 'a'],
  ['auth', 'a'],
  ['s', 's'],
  ['desc', 's'],
  ['d', 'd'],
  ['docs', 'd'],
  ['e', 'e'],
  ['dep', 'e'],
  ['k', 'k'],
  ['pka', 'k'],
  ['i', 'i'],
  ['kid', 'i'],
])

const REMOTE: ReadonlySet<string> = new Set(['mcp', 'a2a', 'openapi', 'grpc', 'graphql', 'websocket', 'ucp'])
const NAMED: ReadonlySet<string> = new Set(['local', 'zeroconf'])
const MAX_LENGTH = 4096
const MAX_TEXT = 300

/** Parses one TXT record. Its strings are concatenated first (RFC 7208, 3.3 has the same rule). */
export function parseAidRecord(strings: readonly string[]): AidResult {
  const text = strings.join('')
  if (text.length > MAX_LENGTH || !/^\s*v(?:ersion)?\s*=\s*aid[12]\s*(?:;|$)/i.test(text))
    return { problem: 'not-aid' }
  const values = new Map<string, string>()
  const unknownKeys: string[] = []
  for (const pair of text.split(';')) {
    const equals = pair.indexOf('=')
    if (equals === -1) continue
    const name = pair.slice(0, equals).trim().toLowerCase()
    const key = KEYS.get(name)
    if (key === undefined) unknownKeys.push(cleanText(name, 40))
    else if (values.has(key)) return { problem: 'repeated-key' }
    else values.set(key, pair.slice(equals + 1).trim())
  }
  return readValues(values, unknownKeys)
}

function readValues(values: ReadonlyMap<string, string>, unknownKeys: readonly string[]): AidResult {
  const version = values.get('v')?.toLowerCase() === 'aid2' ? 'aid2' : 'aid1'
  const protocol = values.get('p')?.toLowerCase()
  const uri = values.get('u')
  if (!protocol) return { problem: 'missing-protocol' }
  if (!uri) return { problem: 'missing-uri' }
  const address = readAddress(protocol, uri)
  if ('problem' in address) return address
  const text = (key: string): string | undefined => {
    const value = values.get(key)
    return value ? cleanText(value, MAX_TEXT) : undefined
  }
  const docs = resolveWebUrl(values.get('d') ?? '', 'invalid:/')
  const fields = {
    auth: text('a'),
    description: text('s'),
    docs: 'url' in docs ? docs.url.href : undefined,
    deprecation: text('e'),
    publicKey: text('k'),
    keyId: text('i'),
  }
  const present = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
  return { record: { version, protocol, ...address, ...present, unknownKeys } }
}

function readAddress(
  protocol: string,
  uri: string,
): { url: string } | { locator: string } | { problem: AidProblem } {
  if (NAMED.has(protocol)) return { locator: cleanText(uri, MAX_TEXT) }
  if (!REMOTE.has(protocol)) return { problem: 'unknown-protocol' }
  if (protocol === 'websocket' && /^wss:\/\//i.test(uri)) {
    const resolved = resolveWebUrl(uri.replace(/^wss/i, 'https'), 'invalid:/')
    return 'url' in resolved
      ? { url: resolved.url.href.replace(/^https/, 'wss') }
      : { problem: 'invalid-uri' }
  }
  const resolved = resolveWebUrl(uri, 'invalid:/')
  if ('url' in resolved) {
    return resolved.url.protocol === 'https:'
      ? { url: resolved.url.href }
      : { problem: 'remote-uri-not-https' }
  }
  return { problem: resolved.problem === 'not-http' ? 'remote-uri-not-https' : 'invalid-uri' }
}

export interface AidRecords {
  /** Set only if exactly one record is AID and it is good: several are no answer. */
  readonly record?: AidRecord
  readonly problems: readonly AidProblem[]
  readonly ambiguous: boolean
}

/** Judges all TXT records of a name. Unrelated ones count for nothing. */
export function parseAidRecords(records: readonly (readonly string[])[]): AidRecords {
  const results = records.map(parseAidRecord)
  const related = results.filter((result) => !('problem' in result) || result.problem !== 'not-aid')
  const good = related.flatMap((result) => ('record' in result ? [result.record] : []))
  const problems = related.flatMap((result) => ('problem' in result ? [result.problem] : []))
  const [record] = good
  return { ...(record && good.length === 1 && { record }), problems, ambiguous: good.length > 1 }
}
