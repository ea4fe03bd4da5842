import type {
  Capability,
  ContentSignals,
  Endpoints,
  Integration,
  Manifest,
} from '../generated/manifest/manifest.js'
import { isObject, ownMember } from '../own-member.js'
import { repair, type Fix } from '../repair.js'
import { RESPONSE_TYPE_GRAMMAR } from '../response-type.js'
import { MAX_ISSUES } from '../schema-issues.js'
import type { ValidationIssue } from '../validation-issue.js'
import { checkManifestSemantics } from './check-manifest-semantics.js'
import { manifestSchemaIssues } from './manifest-issues.js'
import { modesUpTo } from './modes.js'

/** A manifest as a visiting agent uses it: valid, and with the parts it asks for in place. */
export interface ReadManifest extends Omit<Manifest, 'content_signals'> {
  readonly endpoints: Endpoints
  readonly capabilities: Capability[]
  /** A signal that is missing is not stated. */
  readonly content_signals: Partial<ContentSignals>
  readonly integrations: Record<string, Integration>
}

export interface TolerantReading {
  /** Undefined when the document cannot be used. */
  readonly manifest: ReadManifest | undefined
  /** Warnings, and with them the errors that made the document useless. */
  readonly issues: readonly ValidationIssue[]
}

/** Reads whatever of a manifest is usable (specification, "Reading a manifest that is not valid"). Never throws on data. */
export function readTolerantly(data: unknown): TolerantReading {
  const { document, issues } = repair(data, { issuesOf: manifestSchemaIssues, fixFor, isTolerated })
  if (document === undefined) {
    const isHopeless = issues.length >= MAX_ISSUES
    const isFatal = ({ path }: ValidationIssue): boolean =>
      isHopeless || path === '' || FATAL_PLACES.has(path)
    return { manifest: undefined, issues: issues.map((issue) => reported(issue, isFatal(issue))) }
  }
  const places = new Set(issues.map(({ path }) => path))
  const semantic = semanticWarnings(document).filter(({ path }) => !places.has(path))
  const warnings = [...issues.map((issue) => reported(issue, false)), ...semantic]
  return { manifest: normalised(document as Manifest), issues: warnings }
}

/** Without these there is no manifest. */
const FATAL_PLACES: ReadonlySet<string> = new Set(['/ahp', '/modes'])
const STATED_BY_ABSENCE: ReadonlySet<string> = new Set(['/content_signals', '/content_signals/ai_input'])
/** A name that is cut would be another name. */
const CAPABILITY_NAME_PLACE = /^\/capabilities\/\d+\/name$/
const RESPONSE_TYPE_PLACE = /^\/capabilities\/\d+\/response_types\/\d+$/

/** A version of another form is some other version, and a signal that is missing is not stated. */
function isTolerated({ code, path }: ValidationIssue): boolean {
  return (code === 'pattern' && path === '/ahp') || (code === 'required' && STATED_BY_ABSENCE.has(path))
}

function fixFor({ code, path, limit }: ValidationIssue, value: unknown): Fix | undefined {
  if (code === 'maxLength' && typeof value === 'string' && !CAPABILITY_NAME_PLACE.test(path))
    return () => Array.from(value).slice(0, limit).join('')
  if (code === 'uniqueItems' && Array.isArray(value)) return () => [...new Set<unknown>(value)]
  if (code === 'pattern' && typeof value === 'string' && RESPONSE_TYPE_PLACE.test(path)) {
    const lower = value.toLowerCase()
    return RESPONSE_TYPE_GRAMMAR.test(lower) ? () => lower : undefined
  }
  if (path.startsWith('/content_signals/') && (value === 'yes' || value === 'no'))
    return () => value === 'yes'
  return undefined
}

function reported(issue: ValidationIssue, isError: boolean): ValidationIssue {
  return { ...issue, level: isError ? 'error' : 'warning' }
}

function semanticWarnings(document: unknown): ValidationIssue[] {
  const warnings = checkManifestSemantics(document).map((issue) => reported(issue, false))
  if (isKnownVersion(document)) return warnings
  const message = 'This version of the protocol is not known; only MODE1 is used.'
  const rule = 'AHP01-R-111'
  return [...warnings, { level: 'warning', code: 'unknown_version', path: '/ahp', message, rule }]
}

/** Minor versions are backwards compatible: every 0.x is read as this one. */
function isKnownVersion(document: unknown): boolean {
  return /^0\.\d+$/.test(String(ownMember(document, 'ahp')))
}

function normalised(manifest: Manifest): ReadManifest {
  const { capabilities = [], content_signals: signals, endpoints = {}, links = {} } = manifest
  const isKnown = isKnownVersion(manifest)
  const linked = ['mcp', 'openapi'].flatMap((name) =>
    Object.hasOwn(links, name) ? [[name, { url: String(links[name]) }] as const] : [],
  )
  return {
    ...manifest,
    modes: modesUpTo(isKnown ? manifest.modes : []),
    endpoints,
    capabilities: firstOfEachName(capabilities).filter(({ mode }) => isKnown || mode === 'MODE1'),
    content_signals: isObject(signals) ? signals : {},
    integrations: { ...Object.fromEntries(linked), ...manifest.integrations },
  }
}

function firstOfEachName(capabilities: readonly Capability[]): Capability[] {
  const byName = new Map<string, Capability>()
  for (const capability of capabilities) {
    if (!byName.has(capability.name)) byName.set(capability.name, capability)
  }
  return [...byName.values()]
}
