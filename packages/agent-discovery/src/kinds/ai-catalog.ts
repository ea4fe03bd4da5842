import { arrayMember, isObject, member, stringMember, type JsonObject } from '../json/json-value.js'
import { cleanText } from '../text/untrusted-text.js'
import { resolveWebUrl } from '../url/web-url.js'
import { mediaTypeKind } from './advertised-kind.js'
import { judged, type Identification, type NamedResource, type ReceivedDocument } from './identification.js'
import { pathKind } from './path-kind.js'

const MAX_ENTRIES = 200
const MAX_WARNINGS = 20

/** An ARD manifest (`type`) or its predecessor, the AI catalog (`mediaType`). Both member names are read in both. */
export function recognizeAiCatalog(data: JsonObject, document: ReceivedDocument): Identification | undefined {
  const entries = arrayMember(data, 'entries')
  const specVersion = stringMember(data, 'specVersion')
  const known = document.promised === 'ai-catalog' || document.mediaType === 'application/ai-catalog+json'
  if (!entries || !(known || specVersion !== undefined || entries.some(hasIdentifier))) return undefined

  const named: NamedResource[] = []
  const warnings: string[] =
    entries.length > MAX_ENTRIES ? [`truncated: ${MAX_ENTRIES} of ${entries.length} entries read`] : []
  for (const [index, entry] of entries.slice(0, MAX_ENTRIES).entries()) {
    const read = readEntry(entry, index, document.url)
    if (typeof read !== 'string') named.push(read)
    else if (warnings.length < MAX_WARNINGS) warnings.push(`entry ${index}: ${read}`)
  }
  return judged('ai-catalog', entries.length > 0 && named.length === 0 ? ['no-valid-entry'] : [], {
    variant: specVersion === undefined ? 'ard-0.91' : `ai-catalog-${cleanText(specVersion, 20)}`,
    ...(specVersion !== undefined && { version: cleanText(specVersion, 20) }),
    signature: ['entries is an array'],
    warnings,
    named: named.filter(({ url }) => url !== document.url),
  })
}

function hasIdentifier(entry: unknown): boolean {
  return isObject(entry) && stringMember(entry, 'identifier') !== undefined
}

function readEntry(entry: unknown, index: number, base: string): NamedResource | string {
  if (!isObject(entry)) return 'not an object'
  const hasUrl = member(entry, 'url') !== undefined
  const hasData = member(entry, 'data') !== undefined
  if (hasUrl === hasData) return 'exactly one of url/data'
  const mediaType = stringMember(entry, 'type') ?? stringMember(entry, 'mediaType')
  if (mediaType === undefined) return 'no media type'
  const title = stringMember(entry, 'displayName')
  const shared = {
    via: 'entries',
    mediaType: cleanText(mediaType, 100),
    ...(title !== undefined && { title: cleanText(title, 200) }),
  }
  if (hasData)
    return {
      url: `${base}#/entries/${index}/data`,
      kind: mediaTypeKind(mediaType) ?? 'linked-resource',
      inline: true,
      ...shared,
    }
  const resolved = resolveWebUrl(stringMember(entry, 'url') ?? 'invalid:', base)
  if ('problem' in resolved) return resolved.problem
  return {
    url: resolved.url.href,
    kind: mediaTypeKind(mediaType) ?? pathKind(resolved.url) ?? 'linked-resource',
    ...shared,
  }
}
