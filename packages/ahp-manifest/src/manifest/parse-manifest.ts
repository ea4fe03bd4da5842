import { resultOf, type ValidationIssue } from '../validation-issue.js'
import {
  AhpManifestError,
  checkMode,
  checkNames,
  invalidManifest,
  invalidOption,
} from './ahp-manifest-error.js'
import { identifyAgentJson } from './identify-agent-json.js'
import { placeOfJsonFault } from './json-fault.js'
import { manifestIssues } from './manifest-issues.js'
import { readTolerantly, type ReadManifest } from './read-tolerantly.js'

/** Options of `parseManifest`. */
export interface ParseManifestOptions {
  /**
   * `tolerant` uses whatever is usable and warns about the rest; `strict` refuses whatever breaks a MUST of the
   * specification. Default: `tolerant`.
   */
  readonly mode?: 'tolerant' | 'strict'
  /** Longest text to parse, in UTF-16 code units. Default: 1,048,576. */
  readonly maxLength?: number
}

/** A manifest as an agent can use it. */
export interface ParsedManifest {
  readonly manifest: ReadManifest
  /** What a site should improve; nothing here keeps the manifest from being used. */
  readonly warnings: readonly ValidationIssue[]
}

const DEFAULT_MAX_LENGTH = 1_048_576

/**
 * Reads a manifest from its text, or from what `JSON.parse` made of it. Everything in it was written by the site and
 * stays data.
 *
 * @throws {AhpManifestError} `too_large`, `not_json`, `a2a_agent_card`, `other_document`, `invalid_manifest`,
 * `invalid_option`
 */
export function parseManifest(source: unknown, options: ParseManifestOptions = {}): ParsedManifest {
  checkNames(options, ['mode', 'maxLength'])
  const { mode = 'tolerant', maxLength = DEFAULT_MAX_LENGTH } = options
  checkMode(mode)
  if (!Number.isInteger(maxLength) || maxLength < 1)
    throw invalidOption('maxLength', 'must be a whole number above zero')
  const data = typeof source === 'string' ? parseJson(source, maxLength) : source
  refuseOtherDocuments(data)
  const { manifest, issues } = readTolerantly(data)
  if (mode === 'strict') {
    const strict = manifestIssues(data)
    if (!resultOf(strict).valid) throw invalidManifest(strict)
  }
  if (manifest === undefined) throw invalidManifest(issues)
  return { manifest, warnings: issues }
}

function parseJson(text: string, maxLength: number): unknown {
  if (text.length > maxLength)
    throw new AhpManifestError('too_large', `The manifest has more than ${maxLength} characters.`)
  const json = text.replace(/^\uFEFF/, '')
  try {
    return JSON.parse(json)
  } catch (cause) {
    const looksLikeHtml = /^\s*</.test(json)
    const { line, column } = placeOfJsonFault(json)
    const message = looksLikeHtml
      ? 'The manifest is not JSON. It looks like a page: the site may answer every path with one.'
      : `The manifest is not JSON: line ${line}, column ${column}.`
    throw new AhpManifestError('not_json', message, { cause })
  }
}

function refuseOtherDocuments(data: unknown): void {
  const identities = identifyAgentJson(data)
  if (identities.some(({ kind }) => kind === 'ahp-manifest')) return
  for (const identity of identities) {
    if (identity.kind === 'a2a-agent-card') {
      const message =
        `This is an A2A agent card (A2A ${identity.version}), not an AHP manifest: it has no "ahp" and no "modes". ` +
        'Talk to it with an A2A client. A2A publishes its card at /.well-known/agent-card.json since version 0.3.'
      throw new AhpManifestError('a2a_agent_card', message)
    }
    throw new AhpManifestError(
      'other_document',
      'This is an ERC-8004 agent registration, not an AHP manifest.',
    )
  }
}
