import { checkManifestSemantics, type ManifestV1, validateDocument } from '@doorplate/aadp-schemas'
import { canonicalize, isCanonicalJsonError } from '@doorplate/aadp-schemas/canonical-json'
import type { AadpConfig } from '../config/aadp-config.js'
import { AadpConfigError } from '../errors/config-error.js'
import type { Resource } from '../config/resource-config.js'

/** A reader must refuse a larger manifest (AADP 1.0). */
const MAX_MANIFEST_BYTES = 256 * 1024
const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/

/** Names of the declaration whose members in the manifest are called otherwise. */
const OPTION_OF_MEMBER: Readonly<Record<string, string>> = {
  usage_guidance: 'usageGuidance',
  security_schemes: 'securitySchemes',
  discovery: 'routes.sitemapIndex',
}

/**
 * The canonical text of the manifest that a declaration stands for. Throws `AadpConfigError` (`invalid_manifest`)
 * when it is not plain JSON, breaks the schema or a semantic rule, or is over 256 KiB.
 */
export function buildManifestText(
  config: AadpConfig,
  resources: ReadonlyMap<string, Resource>,
  sitemapIndexUrl: string,
): string {
  checkSecuritySchemes(config)
  checkSecurity(config, resources)
  const declared = toCanonicalText({
    aadp_version: '1.0',
    application: config.application,
    ...present('links', config.links),
    discovery: { sitemap_index: sitemapIndexUrl },
    ...present('modules', config.modules),
    resources: [...resources.values()].map(describeResource),
    ...present('interfaces', config.interfaces),
    ...present('security_schemes', config.securitySchemes),
    policies: config.policies,
    ...present('usage_guidance', guidanceOf(config.usageGuidance, resources)),
    ...extensionsOf(config),
  })
  const text = canonicalize(withoutEmpty(JSON.parse(declared)))
  checkManifest(JSON.parse(text) as ManifestV1)
  if (new TextEncoder().encode(text).length > MAX_MANIFEST_BYTES) {
    throw new AadpConfigError(
      'invalid_manifest',
      'application',
      `the manifest is over ${String(MAX_MANIFEST_BYTES)} bytes`,
    )
  }
  return text
}

/** An empty scheme must not get lost as empty. Header names end up in a CORS header, which they must not be able to end. */
function checkSecuritySchemes(config: AadpConfig): void {
  for (const [id, scheme] of Object.entries(config.securitySchemes ?? {})) {
    if (isEmpty(scheme)) {
      throw new AadpConfigError('invalid_manifest', `securitySchemes.${id}`, 'must not be empty')
    }
    if (typeof scheme !== 'object' || (scheme as unknown) === null) continue
    if (scheme.type !== 'api_key' || scheme.in !== 'header') continue
    if (typeof scheme.name === 'string' && HEADER_NAME.test(scheme.name)) continue
    throw new AadpConfigError(
      'invalid_option',
      `securitySchemes.${id}.name`,
      'must be the name of a header field',
    )
  }
}

function checkSecurity({ securitySchemes }: AadpConfig, resources: ReadonlyMap<string, Resource>): void {
  const names = Object.keys(securitySchemes ?? {})
  for (const [index, { security }] of [...resources.values()].entries()) {
    if (security === undefined || names.includes(security)) continue
    const there = names.length === 0 ? 'there are none' : `there is ${names.join(', ')}`
    throw new AadpConfigError(
      'invalid_manifest',
      `resources[${String(index)}].security`,
      `must be the name of one of securitySchemes; ${there}`,
    )
  }
}

function describeResource(resource: Resource): Record<string, unknown> {
  return {
    type: resource.type,
    ...present('media_types', resource.mediaTypes),
    ...present('security', resource.security),
    ...extensionsOf(resource),
  }
}

/** The languages of the application are those of its resources, unless the declaration names them. */
function guidanceOf(guidance: unknown, resources: ReadonlyMap<string, Resource>): unknown {
  const published = [...resources.values()].flatMap(({ locales = [] }) => locales)
  const declared = guidance ?? {}
  if (guidance === null || typeof declared !== 'object' || published.length === 0) return guidance
  if ('available_languages' in declared) return guidance
  const byTag = new Map<string, unknown>()
  if ('default_language' in declared) byTag.set(tagOf(declared.default_language), declared.default_language)
  for (const locale of published) if (!byTag.has(tagOf(locale))) byTag.set(tagOf(locale), locale)
  return { ...declared, available_languages: [...byTag.values()] }
}

/** Letter case is of no meaning in a language tag. */
function tagOf(language: unknown): string {
  return String(language).toLowerCase()
}

function present(member: string, value: unknown): Record<string, unknown> {
  return value === undefined ? {} : { [member]: value }
}

/** An optional array or map that would be empty is left out; extension members stay as they are. */
function withoutEmpty(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutEmpty)
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value)
    .map(
      ([key, member]: [string, unknown]) =>
        [key, key.startsWith('x_') ? member : withoutEmpty(member)] as const,
    )
    .filter(([key, member]) => key.startsWith('x_') || !isEmpty(member))
  return Object.fromEntries(members)
}

function isEmpty(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0
}

function extensionsOf(source: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(source).filter(([key]) => key.startsWith('x_')))
}

function toCanonicalText(manifest: Record<string, unknown>): string {
  try {
    return canonicalize(manifest)
  } catch (error) {
    if (!isCanonicalJsonError(error)) throw error
    throw new AadpConfigError('invalid_manifest', optionAt(error.path), error.message, { cause: error })
  }
}

function checkManifest(manifest: ManifestV1): void {
  const { issues } = validateDocument({ version: '1.0', kind: 'manifest', data: manifest })
  const [invalid] = issues
  if (invalid !== undefined)
    throw new AadpConfigError('invalid_manifest', optionAt(invalid.path), invalid.message)
  const wrong = checkManifestSemantics(manifest).find((issue) => issue.level === 'error')
  if (wrong !== undefined) throw new AadpConfigError('invalid_manifest', optionAt(wrong.path), wrong.message)
}

/** `/usage_guidance/attribution/preferred_text` as the declaration names it. */
function optionAt(pointer: string): string {
  if (pointer === '') return 'manifest'
  const [member = '', ...rest] = pointer.split('/').slice(1)
  const option = Object.hasOwn(OPTION_OF_MEMBER, member) ? OPTION_OF_MEMBER[member] : member
  return [option, ...rest].join('.').replace(/\.(\d+)(?=\.|$)/g, '[$1]')
}
