import { semanticRules, textPlaces, urlPlaces } from '../generated/v1.0/manifest-places.js'
import { looksLikeInstructions } from './instruction-signals.js'
import { isObject, member, valuesAt, type Place } from './places.js'
import { secretShapesIn } from './secret-shapes.js'
import type { SemanticIssue } from './semantic-issue.js'
import { serializedSize } from './serialized-size.js'
import { walkStrings } from './walk-strings.js'

type RuleCode = keyof typeof semanticRules

/** A finding before it is tied to its rule. Its code may carry a detail after a colon. */
type Finding = Omit<SemanticIssue, 'rule' | 'code'> & { readonly code: RuleCode | `${RuleCode}:${string}` }

/** Limit of one string, in UTF-16 code units. */
const MAX_TEXT_LENGTH = 8192
/** Specification 1.0: SHOULD stay within, MUST NOT exceed. */
const RECOMMENDED_MANIFEST_BYTES = 64 * 1024
const MAX_MANIFEST_BYTES = 256 * 1024

const PLACEHOLDER_HOSTS = [
  'example.com',
  'example.org',
  'example.net',
  'localhost',
  'test.com',
  'your-domain.com',
]

const GUIDANCE_TEXTS = [
  '/usage_guidance/summary_preference',
  '/usage_guidance/citation_preference',
  '/usage_guidance/attribution/preferred_text',
]

const CHECKS: readonly ((manifest: object) => Iterable<Finding>)[] = [
  defaultLanguage,
  duplicateModules,
  duplicateResources,
  duplicateInterfaces,
  securityReferences,
  interfacesWithoutAddress,
  urls,
  blankTexts,
  suspiciousGuidance,
  hostileTexts,
  size,
]

/**
 * Judges what the schema of a 1.0 manifest cannot: references, duplicates, secrets, URLs, sizes. Takes any parsed
 * value, also one that fails the schema, and never throws. Errors make a manifest unusable for a strict reader, warnings do not.
 *
 * @see specification 1.0, "Semantic rules of the manifest"
 */
export function checkManifestSemantics(manifest: unknown): SemanticIssue[] {
  const findings: Finding[] = isObject(manifest)
    ? CHECKS.flatMap((check) => [...check(manifest)])
    : [{ level: 'error', code: 'not_an_object', path: '', message: 'A manifest is a JSON object.' }]
  return findings.map((finding) => ({ ...finding, rule: ruleOf(finding.code) }))
}

function ruleOf(code: Finding['code']): string {
  return semanticRules[code.split(':', 1)[0] as RuleCode]
}

function* defaultLanguage(manifest: object): Generator<Finding> {
  const guidance = member(manifest, 'usage_guidance')
  const language = member(guidance, 'default_language')
  const available = member(guidance, 'available_languages')
  if (typeof language !== 'string' || !Array.isArray(available) || available.includes(language)) return
  yield {
    level: 'error',
    code: 'default_language_not_available',
    path: '/usage_guidance/default_language',
    message: 'The default language is not among the available languages.',
  }
}

function duplicateModules(manifest: object): Iterable<Finding> {
  return duplicates(manifest, '/modules/*/id', 'duplicate_module_id', 'Another module has this id.')
}

function duplicateResources(manifest: object): Iterable<Finding> {
  return duplicates(
    manifest,
    '/resources/*/type',
    'duplicate_resource_type',
    'Another resource has this type.',
  )
}

function duplicateInterfaces(manifest: object): Iterable<Finding> {
  return duplicates(manifest, '/interfaces/*/id', 'duplicate_interface_id', 'Another interface has this id.')
}

function* duplicates(manifest: object, pattern: string, code: RuleCode, message: string): Generator<Finding> {
  const seen = new Set<string>()
  for (const { path, value } of texts(valuesAt(manifest, pattern))) {
    if (seen.has(value)) yield { level: 'error', code, path, message }
    seen.add(value)
  }
}

function* securityReferences(manifest: object): Generator<Finding> {
  const schemes = member(manifest, 'security_schemes')
  const references = [
    ...valuesAt(manifest, '/resources/*/security'),
    ...valuesAt(manifest, '/interfaces/*/security'),
  ]
  for (const { path, value } of texts(references)) {
    if (!isObject(schemes)) {
      const message = 'A security scheme is referred to, but the manifest declares no security_schemes.'
      yield { level: 'error', code: 'missing_security_schemes', path, message }
    } else if (!Object.hasOwn(schemes, value)) {
      const message = 'This security scheme is not declared in security_schemes.'
      yield { level: 'error', code: 'unknown_security_scheme_reference', path, message }
    }
  }
}

function* interfacesWithoutAddress(manifest: object): Generator<Finding> {
  for (const { path, value } of valuesAt(manifest, '/interfaces/*')) {
    if (!isObject(value) || Object.hasOwn(value, 'endpoint') || Object.hasOwn(value, 'documentation'))
      continue
    const message = 'An interface needs an endpoint or documentation to be of use.'
    yield { level: 'error', code: 'interface_not_resolvable', path, message }
  }
}

function* urls(manifest: object): Generator<Finding> {
  for (const pattern of urlPlaces) {
    for (const { path, value } of texts(valuesAt(manifest, pattern))) {
      if (URL.canParse(value)) yield* urlFindings(path, new URL(value))
    }
  }
}

function* urlFindings(path: string, url: URL): Generator<Finding> {
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    yield {
      level: 'error',
      code: 'url_scheme_not_http',
      path,
      message: 'This URL is neither https nor http.',
    }
    return
  }
  if (url.username !== '' || url.password !== '') {
    yield {
      level: 'error',
      code: 'url_with_credentials',
      path,
      message: 'This URL carries a user name or password.',
    }
  }
  const host = url.hostname.replace(/\.$/, '')
  if (PLACEHOLDER_HOSTS.some((name) => host === name || host.endsWith(`.${name}`))) {
    yield {
      level: 'warning',
      code: 'placeholder_url',
      path,
      message: `This URL points to the placeholder host ${host}.`,
    }
  }
}

function* blankTexts(manifest: object): Generator<Finding> {
  for (const pattern of textPlaces) {
    for (const { path, value } of texts(valuesAt(manifest, pattern))) {
      if (value === '' || value.trim() !== '') continue
      yield { level: 'error', code: 'blank_text', path, message: 'This text consists of white space only.' }
    }
  }
}

function* suspiciousGuidance(manifest: object): Generator<Finding> {
  for (const { path, value } of texts(GUIDANCE_TEXTS.flatMap((place) => valuesAt(manifest, place)))) {
    if (!looksLikeInstructions(value.slice(0, MAX_TEXT_LENGTH))) continue
    const message = 'This guidance reads like instructions to an agent; readers treat it as data.'
    yield { level: 'warning', code: 'usage_guidance_looks_like_instruction', path, message }
  }
}

function* hostileTexts(manifest: object): Generator<Finding> {
  for (const { path, text } of walkStrings(manifest)) {
    if (text.length > MAX_TEXT_LENGTH) {
      const message = `A string of ${text.length} characters; at most ${MAX_TEXT_LENGTH} are allowed.`
      yield { level: 'error', code: 'text_too_long', path, message }
    }
    for (const shape of secretShapesIn(text)) {
      const message = `This text looks like a secret (${shape}); a manifest is public.`
      yield { level: 'error', code: `possible_secret_value:${shape}`, path, message }
    }
  }
}

function* size(manifest: object): Generator<Finding> {
  const bytes = serializedSize(manifest, MAX_MANIFEST_BYTES)
  if (bytes > MAX_MANIFEST_BYTES) {
    const message = `The manifest has more than ${MAX_MANIFEST_BYTES} bytes; readers refuse it.`
    yield { level: 'error', code: 'manifest_over_maximum_size', path: '', message }
  } else if (bytes > RECOMMENDED_MANIFEST_BYTES) {
    const message = `The manifest has ${bytes} bytes; at most ${RECOMMENDED_MANIFEST_BYTES} are recommended.`
    yield { level: 'warning', code: 'manifest_over_recommended_size', path: '', message }
  }
}

function texts(places: readonly Place[]): { path: string; value: string }[] {
  return places.filter((place): place is Place & { value: string } => typeof place.value === 'string')
}
