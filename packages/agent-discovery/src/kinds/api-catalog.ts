import { arrayMember, type JsonObject } from '../json/json-value.js'
import { parseLinkset, type Linkset } from '../linkset/parse-linkset.js'
import { parseLinksetText } from '../linkset/parse-linkset-text.js'
import { advertisedKind, mediaTypeKind } from './advertised-kind.js'
import { judged, type Identification, type ReceivedDocument } from './identification.js'
import { pathKind } from './path-kind.js'

const MAX_LINKS = 200
const MAX_WARNINGS = 20

/** An API catalog: a linkset (RFC 9727, RFC 9264). An empty one is legal. */
export function recognizeApiCatalog(
  data: JsonObject,
  document: ReceivedDocument,
): Identification | undefined {
  if (!arrayMember(data, 'linkset')) return undefined
  const isTyped = document.mediaType === 'application/linkset+json'
  return judgeLinkset(parseLinkset(data, { url: document.url, maxLinks: MAX_LINKS }), document, {
    signature: ['linkset is an array'],
    warnings: isTyped ? [] : ['media-type-not-linkset'],
  })
}

/** One in the syntax of the `Link` field, which only its type tells apart from other text. */
export function recognizeLinksetText(text: string, document: ReceivedDocument): Identification | undefined {
  if (document.mediaType !== 'application/linkset') return undefined
  const linkset = parseLinksetText(text, { url: document.url, maxLinks: MAX_LINKS })
  return judgeLinkset(linkset, document, { signature: ['links of application/linkset'], warnings: [] })
}

function judgeLinkset(
  { links, issues, truncated }: Linkset,
  document: ReceivedDocument,
  { signature, warnings }: Pick<Identification, 'signature' | 'warnings'>,
): Identification {
  const named = links.flatMap(({ rel, url, type, title }) => {
    const kind = advertisedKind({ rels: [rel], type, url }) ?? mediaTypeKind(type) ?? pathKind(url)
    if (!kind && rel !== 'item') return []
    return [
      {
        url,
        kind: kind ?? 'linked-resource',
        via: rel,
        ...(title && { title }),
        ...(type && { mediaType: type }),
      },
    ]
  })
  return judged('api-catalog', issues.length > 0 && links.length === 0 ? ['no-valid-link'] : [], {
    signature,
    warnings: [
      ...warnings,
      ...(truncated ? [`truncated: ${links.length} links read`] : []),
      ...issues.slice(0, MAX_WARNINGS).map(({ path, message }) => `${path}: ${message}`),
    ],
    named: named.filter(({ url }) => url !== document.url),
  })
}
