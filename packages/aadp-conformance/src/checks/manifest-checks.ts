import { checkManifestSemantics, validateDocument, type SemanticIssue } from '@doorplate/aadp-schemas'
import { counted, judged, skipped, visibleText, type Finding, type Outcome } from '@doorplate/conformance-kit'
import type { Rule } from '../requirements.js'
import { examineResponse } from '../site/examine-document.js'
import { isJson } from '../site/examine-headers.js'
import { isLocalUrl } from '../site/local-url.js'
import { sitemapIndexUrl } from '../site/read-index.js'
import type { Site } from '../site/site.js'
import { valueAt } from '../site/value-at.js'
import type { SiteCheck } from './site-check.js'

/** The manifest by itself. */
export function manifestChecks(rule: Rule): readonly SiteCheck[] {
  return [
    {
      id: 'manifest.http',
      title: 'The manifest is served as JSON at its well-known URL',
      requirements: [rule('HTTP-001'), rule('HTTP-003'), rule('DOC-001')],
      hint: 'Answer GET /.well-known/ai-manifest.json with status 200 and Content-Type: application/json.',
      fatal: 'unreachable',
      run: judgeResponse,
    },
    {
      id: 'manifest.version',
      title: 'The manifest declares the protocol version of this run',
      requirements: [rule('MAN-002')],
      needs: ['manifest.http'],
      hint: 'Set aadp_version, or choose the version of the site with --protocol-version.',
      fatal: 'unsupported_version',
      run: judgeVersion,
    },
    {
      id: 'manifest.schema',
      title: 'The manifest is valid by its schema',
      requirements: [rule('MAN-001')],
      needs: ['manifest.version'],
      hint: 'Validate the file with `aadp-validate manifest <file>`; it gives line and column.',
      run: judgeSchema,
    },
    {
      id: 'manifest.discovery_entry_point',
      title: 'The sitemap index has an http or https URL',
      requirements: [rule('HTTP-007'), rule('MAN-018')],
      needs: ['manifest.schema'],
      hint: 'Give the absolute https URL of the sitemap index.',
      run: judgeEntryPoint,
    },
  ]
}

/** What only 1.0 says about manifests. */
export function manifestV1Checks(rule: Rule): readonly SiteCheck[] {
  return [
    {
      id: 'manifest.semantic',
      title: 'The manifest makes sense: references resolve, nothing is double, nothing is secret',
      requirements: SEMANTIC_RULES.map(rule),
      needs: ['manifest.schema'],
      hint: 'At each place named, refer to what exists, name a thing once, and replace secrets, blanks and placeholders.',
      run: judgeSemantics,
    },
    {
      id: 'manifest.size',
      title: 'The manifest is small enough for every reader',
      requirements: [rule('SEM-016'), rule('MAN-067')],
      needs: ['manifest.http'],
      hint: 'Move lists of content into sitemaps; a manifest only describes.',
      run: judgeSize,
    },
  ]
}

/** What 1.0 lets a publisher say to readers. */
export function guidanceChecks(rule: Rule): readonly SiteCheck[] {
  return [
    {
      id: 'safety.free_text_is_data',
      title: 'The usage guidance does not read like orders to a language model',
      requirements: [rule('SEM-011')],
      needs: ['manifest.schema'],
      hint: 'Say what you would like ("Please name the author"), not what a model must do.',
      run: judgeFreeText,
    },
  ]
}

const SEMANTIC_RULES = Array.from(
  { length: 15 },
  (_, index) => `SEM-${String(index + 1).padStart(3, '0')}`,
).filter((number) => number !== 'SEM-011')

/** Size on the wire, text that gives orders and the entry point are judged by checks of their own. */
function isJudgedElsewhere(code: string, path: string): boolean {
  const isEntryPoint = code === 'url_scheme_not_http' && path === '/discovery/sitemap_index'
  return isEntryPoint || JUDGED_ELSEWHERE.has(code)
}

const JUDGED_ELSEWHERE: ReadonlySet<string> = new Set([
  'manifest_over_maximum_size',
  'manifest_over_recommended_size',
  'usage_guidance_looks_like_instruction',
])

const MAX_MANIFEST_BYTES = 262_144
const RECOMMENDED_MANIFEST_BYTES = 65_536

async function judgeResponse(site: Site): Promise<Outcome> {
  const reading = await site.manifest()
  const findings = examineResponse(reading, 'manifest', site.standard)
  const type = reading.headers['content-type']
  if (findings.length > 0 || isJson(type)) return judged(findings)
  const message = `Content-Type is ${type ?? 'absent'}, expected application/json.`
  return judged([{ requirement: site.rule('HTTP-003'), url: reading.url, message }])
}

async function judgeVersion(site: Site): Promise<Outcome> {
  const { url, data } = await site.manifest()
  const declared = isObject(data) && Object.hasOwn(data, 'aadp_version') ? data['aadp_version'] : undefined
  if (declared === site.version) return judged([])
  const named = typeof declared === 'string' ? visibleText(declared, 40) : `of type ${typeof declared}`
  const message = `aadp_version is ${named}; this run is about ${site.version}.`
  return judged([{ requirement: site.rule('MAN-002'), url, pointer: '/aadp_version', message }])
}

async function judgeSchema(site: Site): Promise<Outcome> {
  const { url, data } = await site.manifest()
  const { issues } = validateDocument({ version: site.version, kind: 'manifest', data })
  return judged(issues.map(({ rule, path, message }) => ({ requirement: rule, url, pointer: path, message })))
}

async function judgeEntryPoint(site: Site): Promise<Outcome> {
  const { url, data } = await site.manifest()
  const target = sitemapIndexUrl(data, site.version)
  if (URL.canParse(target) && /^https?:$/.test(new URL(target).protocol)) return judged([], target)
  const message = `The URL of the sitemap index is ${target}.`
  return judged([{ requirement: site.rule('HTTP-007'), url, message }])
}

async function judgeSemantics(site: Site): Promise<Outcome> {
  const { url, data } = await site.manifest()
  const issues = checkManifestSemantics(data).filter(
    (issue) => !isJudgedElsewhere(issue.code, issue.path) && !isOfDevelopment(issue, data, site),
  )
  return judged(issues.map((issue) => toFinding(issue, url)))
}

/** A site on this machine names itself by this machine, until it is deployed. */
function isOfDevelopment({ code, path }: SemanticIssue, manifest: unknown, { standard }: Site): boolean {
  return code === 'placeholder_url' && standard.isPlainLoopback && isLocalUrl(valueAt(manifest, path))
}

async function judgeSize(site: Site): Promise<Outcome> {
  const { url, bytes } = await site.manifest()
  const size = bytes.byteLength
  const over = (limit: number, number: string): readonly Finding[] =>
    size > limit
      ? [{ requirement: site.rule(number), url, message: `${counted(size, 'byte')}; the limit is ${limit}.` }]
      : []
  const hard = over(MAX_MANIFEST_BYTES, 'SEM-016')
  return judged(hard.length > 0 ? hard : over(RECOMMENDED_MANIFEST_BYTES, 'MAN-067'), counted(size, 'byte'))
}

async function judgeFreeText(site: Site): Promise<Outcome> {
  const { url, data } = await site.manifest()
  if (!isObject(data) || !Object.hasOwn(data, 'usage_guidance')) return skipped('There is no usage guidance.')
  const issues = checkManifestSemantics(data).filter(
    ({ code }) => code === 'usage_guidance_looks_like_instruction',
  )
  return judged(issues.map((issue) => toFinding(issue, url)))
}

function toFinding({ rule, path, code, message }: SemanticIssue, url: string): Finding {
  return { requirement: rule, url, pointer: path, message: `${message} (${code})` }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
