import { isObject } from '../json/json-value.js'
import type { Kind } from '../resources/kind.js'
import { isJsonType } from '../http/media-type.js'
import { recognizeA2a } from './a2a.js'
import { recognizeAadp } from './aadp.js'
import { recognizeAgentSkills } from './agent-skills.js'
import { recognizeAhp } from './ahp.js'
import { recognizeAiCatalog } from './ai-catalog.js'
import { recognizeApiCatalog } from './api-catalog.js'
import { recognizeErc8004 } from './erc8004.js'
import { invalid, type Identification, type ReceivedDocument } from './identification.js'
import { isDeeperThan } from '../json/json-depth.js'
import { recognizeMcp } from './mcp.js'
import { recognizeOauth } from './oauth.js'
import { recognizeOpenapi } from './openapi.js'
import { recognizeOther, unrecognised } from './other-json.js'
import { pathKind, promisedKind } from './path-kind.js'
import { identifyText } from './text-document.js'

export interface DocumentToIdentify {
  readonly text: string
  /** The final URL: addresses in the document are relative to it, and its path may promise a kind. */
  readonly url: string
  /** The media type without parameters. */
  readonly mediaType?: string | undefined
  /** The kind that whoever names it says it is. Counts where the path promises none. */
  readonly expected?: Kind | undefined
}

/** Nesting that no document of these kinds needs. */
const MAX_DEPTH = 64

const RECOGNIZERS: readonly ((
  data: Readonly<Record<string, unknown>>,
  document: ReceivedDocument,
) => Identification | undefined)[] = [
  recognizeAadp,
  recognizeAgentDocument,
  recognizeErc8004,
  recognizeOpenapi,
  recognizeApiCatalog,
  recognizeAiCatalog,
  recognizeAgentSkills,
  recognizeOauth,
  recognizeMcp,
  recognizeOther,
]

/** Relations that lead to these kinds lead to others too: a description of an API, a Markdown page. */
const GUESSED: ReadonlySet<Kind> = new Set<Kind>(['llms-txt', 'openapi'])

/** What a document is: by content first; its path and its name only count where content leaves a question. Never throws on content. */
export function identify({ text, url, mediaType, expected }: DocumentToIdentify): Identification {
  const promised = promisedKind(url, expected)
  const found = identifyAs(text, { url, mediaType, promised })
  const isGuess = promised !== undefined && GUESSED.has(promised) && pathKind(url) === undefined
  return isGuess && found.reasons.includes('signature-mismatch')
    ? identifyAs(text, { url, mediaType })
    : found
}

function identifyAs(text: string, document: ReceivedDocument): Identification {
  const { mediaType } = document
  const body = text.startsWith('\ufeff') ? text.slice(1) : text
  if (!/^\s*[[{]/.test(body)) {
    const isJson = mediaType !== undefined && isJsonType(mediaType)
    const found = identifyText(body, document)
    return isJson && found.verdict === 'reachable' ? invalid(found.kind, ['not-json']) : found
  }
  if (isDeeperThan(body, MAX_DEPTH)) return invalid(document.promised ?? 'unknown-json', ['too-deep'])
  const parsed = parseJson(body)
  if (!parsed) return identifyBrokenJson(body, document)
  if (!isObject(parsed.data)) return unrecognised(document)
  for (const recognize of RECOGNIZERS) {
    const found = recognize(parsed.data, document)
    if (found) return withPathWarning(found, document)
  }
  return unrecognised(document)
}

/** AHP manifests and A2A cards share a path, and one document can have the marks of both. */
function recognizeAgentDocument(
  data: Readonly<Record<string, unknown>>,
  document: ReceivedDocument,
): Identification | undefined {
  const ahp = recognizeAhp(data, document)
  const a2a = recognizeA2a(data, document)
  if (!ahp || !a2a) return ahp ?? a2a
  return { ...ahp, warnings: [...ahp.warnings, 'ambiguous-document'], alternatives: [a2a.kind] }
}

function parseJson(text: string): { data: unknown } | undefined {
  try {
    return { data: JSON.parse(text) as unknown }
  } catch {
    return undefined
  }
}

/** Markdown may begin with a bracket. */
function identifyBrokenJson(text: string, document: ReceivedDocument): Identification {
  const isText = document.mediaType?.startsWith('text/') === true && document.mediaType !== 'text/json'
  return isText ? identifyText(text, document) : invalid(document.promised ?? 'unknown-json', ['not-json'])
}

function withPathWarning(found: Identification, { promised }: ReceivedDocument): Identification {
  const expected =
    promised === undefined ||
    promised === 'unknown-agent-json' ||
    promised === found.kind ||
    sameFamily(promised, found.kind)
  if (expected || found.warnings.includes('unexpected-path')) return found
  return { ...found, warnings: [...found.warnings, 'unexpected-path'] }
}

/** Kinds that may share a path: an AADP manifest may lie behind an API catalog, a list of servers where a card is expected. */
function sameFamily(promised: string, found: string): boolean {
  return (
    (promised.startsWith('mcp-') && found.startsWith('mcp-')) ||
    (promised === 'api-catalog' && found === 'aadp-manifest')
  )
}
