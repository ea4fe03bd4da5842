import {
  checkManifestSemantics,
  isAadpSchemasError,
  validateDocument,
  type AadpVersion,
  type EntityV1,
  type Kind,
  type SitemapIndexV1,
  type SitemapV1,
} from '@doorplate/aadp-schemas'
import { checksumOf } from '@doorplate/aadp-schemas/canonical-json'
import { visibleText } from '@doorplate/conformance-kit'
import { decodeText } from '../decode-text.js'
import { requirementOf, ruleIn, type Rule } from '../requirements.js'
import { repeatedMembers } from '../site/repeated-members.js'
import { parseWithPositions, type Position } from './locate.js'

/** Something wrong with a document, and where in its text. */
export interface TextIssue extends Position {
  readonly level: 'error' | 'warning'
  /** Id of the rule in the specification. */
  readonly rule: string
  /** JSON Pointer; `''` is the root. */
  readonly path: string
  readonly message: string
}

/** Why a document could not be judged. */
export interface Unjudged {
  readonly code: 'not_json' | 'unknown_version' | 'unsupported_version'
  readonly message: string
}

export type TextVerdict =
  { readonly version: AadpVersion; readonly issues: readonly TextIssue[] } | { readonly unjudged: Unjudged }

/** Judges the text of a document: schema, meaning and checksum, each issue with line and column. */
export function validateText(bytes: Uint8Array, kind: Kind, wireVersion: string | undefined): TextVerdict {
  const { text, encodingFault } = decodeText(bytes)
  const parsed = parseWithPositions(text)
  if ('fault' in parsed) {
    const { line, column, message } = parsed.fault
    return { unjudged: { code: 'not_json', message: `${line}:${column} ${visibleText(message)}` } }
  }
  const { data, locate } = parsed
  const version = wireVersion ?? declaredVersion(data)
  if (version === undefined) {
    const message = 'The document does not say its version; give it with --aadp-version.'
    return { unjudged: { code: 'unknown_version', message } }
  }
  try {
    const rule = ruleIn(version as AadpVersion)
    const found = [
      ...(encodingFault === undefined ? [] : [{ rule: rule('DOC-001'), path: '', message: encodingFault }]),
      ...issuesOf(data, kind, version as AadpVersion, rule),
      ...repeatedMembers(text, data).map((path) => ({
        rule: rule('DOC-009'),
        path,
        message: 'The member is there twice.',
      })),
    ]
    const issues = found.map((issue) => toTextIssue(issue, locate(issue.path)))
    return { version: version as AadpVersion, issues }
  } catch (error) {
    if (!isAadpSchemasError(error) || error.code !== 'unsupported_version') throw error
    return { unjudged: { code: 'unsupported_version', message: error.message } }
  }
}

interface Issue {
  readonly rule: string
  readonly path: string
  readonly message: string
  readonly level?: 'error' | 'warning'
}

/** Meaning and checksum are looked at only in a document that has the right form. */
function issuesOf(data: unknown, kind: Kind, version: AadpVersion, rule: Rule): readonly Issue[] {
  const { valid, issues } = validateDocument({ version, kind, data })
  if (!valid) return issues
  switch (kind) {
    case 'manifest':
      return version === '1.0'
        ? checkManifestSemantics(data).map(({ code, ...issue }) => ({
            ...issue,
            message: `${issue.message} (${code})`,
          }))
        : []
    case 'sitemap-index': {
      const { checksum, sitemaps } = data as SitemapIndexV1
      return checksumIssues(checksum, sitemaps, rule('IDX-010'))
    }
    case 'sitemap': {
      const { checksum, items, type } = data as SitemapV1
      return [
        ...checksumIssues(checksum, items, rule('MAP-014')),
        ...namespaceIssues(type, items, rule('MAP-016')),
      ]
    }
    case 'entity': {
      const { checksum, data: content } = data as EntityV1
      return checksumIssues(checksum, content, rule('ENT-010'))
    }
    case 'error':
      return []
  }
}

function checksumIssues(declared: string, content: unknown, rule: string): readonly Issue[] {
  try {
    const actual = checksumOf(content)
    return actual === declared ? [] : [{ rule, path: '/checksum', message: `The content gives ${actual}.` }]
  } catch (error) {
    const reason = error instanceof Error ? error.message : 'unknown reason'
    return [{ rule, path: '/checksum', message: `The content has no canonical form: ${reason}` }]
  }
}

function namespaceIssues(type: string, items: SitemapV1['items'], rule: string): readonly Issue[] {
  return items.flatMap(({ id }, index) =>
    id.startsWith(`${type}:`)
      ? []
      : [{ rule, path: `/items/${index}/id`, message: `${id} is not of type ${type}.` }],
  )
}

function toTextIssue({ rule, path, message, level }: Issue, { line, column }: Position): TextIssue {
  const isWarning = level === 'warning' || (level === undefined && requirementOf(rule)?.level === 'SHOULD')
  return {
    level: isWarning ? 'warning' : 'error',
    rule,
    path: visibleText(path, 2_048),
    line,
    column,
    message: visibleText(message),
  }
}

function declaredVersion(data: unknown): string | undefined {
  if (typeof data !== 'object' || data === null || !Object.hasOwn(data, 'aadp_version')) return undefined
  const { aadp_version: version } = data as { aadp_version: unknown }
  return typeof version === 'string' ? version : undefined
}
