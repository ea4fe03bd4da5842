import { pointerTo } from '../generated/json-pointer.js'
import { semanticRules } from '../generated/manifest/semantic-rules.js'
import { isObject, ownMember } from '../own-member.js'
import { REGISTERED_TYPES } from '../response-type.js'
import type { ValidationIssue } from '../validation-issue.js'
import { modesUpTo } from './modes.js'

type SemanticCode = keyof typeof semanticRules
type Finding = Omit<ValidationIssue, 'code' | 'rule'> & { readonly code: SemanticCode }

const CHECKS: readonly ((manifest: object) => Iterable<Finding>)[] = [
  modes,
  capabilityNames,
  capabilityTypes,
  actions,
  endpoints,
  contentSignals,
  rateLimits,
  integrations,
  urls,
]
const SIGNALS = ['ai_train', 'ai_input', 'search', 'attribution_required']

/**
 * Judges what the schema of a manifest cannot say: whether its parts agree with each other and with its modes
 * (specification, "Semantic rules"). Parts that are not of their type are passed over; the schema reports them.
 *
 * @returns errors for broken MUSTs and warnings for broken SHOULDs
 */
export function checkManifestSemantics(manifest: unknown): ValidationIssue[] {
  if (!isObject(manifest)) return []
  return CHECKS.flatMap((check) => [...check(manifest)]).map((finding) => ({
    ...finding,
    rule: semanticRules[finding.code],
  }))
}

function* modes(manifest: object): Generator<Finding> {
  const declared = listAt(manifest, 'modes')
  const capabilities = capabilitiesOf(manifest)
  const missing = modesUpTo(declared).filter((mode) => !declared.includes(mode))
  if (missing.length > 0) {
    const message = `The modes below must be declared too: ${missing.join(', ')}.`
    yield { level: 'error', code: 'modes_not_cumulative', path: '/modes', message }
  }
  const interactive = ['MODE2', 'MODE3'].filter((mode) => declared.includes(mode))
  if (interactive.length > 0 && capabilities.length === 0) {
    const message = `A site with ${interactive.join(' and ')} declares capabilities.`
    yield { level: 'error', code: 'missing_capabilities', path: '/capabilities', message }
  } else {
    for (const mode of interactive) {
      if (capabilities.some(({ value }) => ownMember(value, 'mode') === mode)) continue
      const message = `${mode} is declared, but no capability has it.`
      yield { level: 'error', code: 'mode_without_capability', path: '/modes', message }
    }
  }
  for (const { path, value } of capabilities) {
    const mode = ownMember(value, 'mode')
    if (typeof mode !== 'string' || declared.includes(mode)) continue
    const message = 'The mode of this capability is not declared in modes.'
    yield { level: 'error', code: 'undeclared_mode', path: `${path}/mode`, message }
  }
}

function* capabilityNames(manifest: object): Generator<Finding> {
  const seen = new Set<string>()
  for (const { path, value } of capabilitiesOf(manifest)) {
    const name = ownMember(value, 'name')
    if (typeof name !== 'string') continue
    if (seen.has(name)) {
      const message = 'Another capability has this name.'
      yield { level: 'error', code: 'duplicate_capability', path: `${path}/name`, message }
    }
    seen.add(name)
  }
}

function* capabilityTypes(manifest: object): Generator<Finding> {
  const registered: readonly string[] = REGISTERED_TYPES
  for (const { path, value } of capabilitiesOf(manifest)) {
    for (const [index, type] of listAt(value, 'response_types').entries()) {
      if (typeof type !== 'string' || registered.includes(type) || type.startsWith('x-')) continue
      const message = 'This type is not registered; a type of your own begins with x- and your name.'
      yield { level: 'warning', code: 'unregistered_type', path: `${path}/response_types/${index}`, message }
    }
  }
}

function* actions(manifest: object): Generator<Finding> {
  const authentication = ownMember(manifest, 'authentication') ?? 'none'
  if (authentication === 'signed_request') {
    const message = 'AHP 0.1 does not define signed_request; use bearer or api_key.'
    yield { level: 'warning', code: 'undefined_authentication', path: '/authentication', message }
  }
  for (const { path, value } of capabilitiesOf(manifest)) {
    if (ownMember(value, 'mode') !== 'MODE3') continue
    const actionType = ownMember(value, 'action_type')
    if (actionType === undefined) {
      const message = 'A capability of MODE3 says whether it is a query, an action or async.'
      yield { level: 'error', code: 'missing_action_type', path: `${path}/action_type`, message }
    }
    for (const name of ['input_schema', 'output_schema']) {
      if (ownMember(value, name) !== undefined) continue
      const message = 'A capability of MODE3 has an input_schema and an output_schema.'
      yield { level: 'error', code: 'missing_capability_schema', path: `${path}/${name}`, message }
    }
    if ((actionType === 'action' || actionType === 'async') && authentication === 'none') {
      const message = 'Actions and asynchronous capabilities need authentication: bearer or api_key.'
      yield { level: 'error', code: 'unauthenticated_action', path: `${path}/action_type`, message }
    }
    if (actionType === 'async' && ownMember(ownMember(manifest, 'async'), 'supported') !== true) {
      const message = 'An asynchronous capability needs async.supported.'
      yield { level: 'error', code: 'async_not_supported', path: '/async/supported', message }
    }
  }
}

function* endpoints(manifest: object): Generator<Finding> {
  const declared = ownMember(manifest, 'endpoints')
  const isInteractive = listAt(manifest, 'modes').some((mode) => mode === 'MODE2' || mode === 'MODE3')
  if (isInteractive && ownMember(declared, 'converse') === undefined) {
    const message = 'Name the converse endpoint; agents assume /agent/converse otherwise.'
    yield { level: 'warning', code: 'missing_converse_endpoint', path: '/endpoints/converse', message }
  }
  if (ownMember(declared, 'content') === undefined) {
    const message = 'Name the content that agents read first, such as /llms.txt.'
    yield { level: 'warning', code: 'missing_content_endpoint', path: '/endpoints/content', message }
  }
}

function* contentSignals(manifest: object): Generator<Finding> {
  const signals = ownMember(manifest, 'content_signals')
  if (!isObject(signals)) return
  for (const name of SIGNALS) {
    if (Object.hasOwn(signals, name)) continue
    const message = 'What is not stated is neither allowed nor refused; state all four signals.'
    yield { level: 'warning', code: 'missing_content_signal', path: `/content_signals/${name}`, message }
  }
}

function* rateLimits(manifest: object): Generator<Finding> {
  const limits = ownMember(manifest, 'rate_limits')
  const short = ownMember(manifest, 'rate_limit')
  if (limits === undefined && short === undefined) {
    const message = 'Declare the limits that you enforce.'
    yield { level: 'warning', code: 'missing_rate_limits', path: '/rate_limits', message }
  }
  const requests = ownMember(ownMember(limits, 'unauthenticated'), 'requests')
  if (requests !== undefined && short !== undefined && requests !== short) {
    const message = 'This differs from rate_limits.unauthenticated.requests, which counts.'
    yield { level: 'warning', code: 'conflicting_rate_limit', path: '/rate_limit', message }
  }
}

function* integrations(manifest: object): Generator<Finding> {
  for (const [name, integration] of entriesAt(manifest, 'integrations')) {
    const link = ownMember(ownMember(manifest, 'links'), name)
    const url = ownMember(integration, 'url')
    if (typeof link !== 'string' || typeof url !== 'string' || !URL.canParse(link)) continue
    if (URL.canParse(url, link) && new URL(url, link).href === new URL(link).href) continue
    const message = 'The integration of the same name leads elsewhere, and counts.'
    yield { level: 'warning', code: 'conflicting_integration', path: pointerTo('/links', name), message }
  }
}

function* urls(manifest: object): Generator<Finding> {
  const endpointUrls = entriesAt(manifest, 'endpoints').map(
    ([name, url]) => [pointerTo('/endpoints', name), url] as const,
  )
  const integrationUrls = entriesAt(manifest, 'integrations').map(
    ([name, value]) => [`${pointerTo('/integrations', name)}/url`, ownMember(value, 'url')] as const,
  )
  for (const [path, url] of [...endpointUrls, ...integrationUrls]) {
    if (typeof url !== 'string' || isResolvable(url)) continue
    const message = 'Neither a path that begins with one slash nor an http or https URL.'
    yield { level: 'error', code: 'endpoint_not_resolvable', path, message }
  }
  const links = entriesAt(manifest, 'links').map(([name, url]) => [pointerTo('/links', name), url] as const)
  for (const [path, url] of [...endpointUrls, ...integrationUrls, ...links]) {
    if (typeof url !== 'string' || !URL.canParse(url)) continue
    const { username, password } = new URL(url)
    if (username === '' && password === '') continue
    const message = 'This URL carries a user name or password; a manifest is public.'
    yield { level: 'error', code: 'url_with_credentials', path, message }
  }
}

function isResolvable(url: string): boolean {
  if (/^\/(?![/\\])/.test(url)) return URL.canParse(url, 'https://site.invalid')
  return /^https?:\/\//i.test(url) && URL.canParse(url)
}

function capabilitiesOf(manifest: object): { path: string; value: unknown }[] {
  return listAt(manifest, 'capabilities').map((value, index) => ({ path: `/capabilities/${index}`, value }))
}

function listAt(value: unknown, name: string): readonly unknown[] {
  const list = ownMember(value, name)
  return Array.isArray(list) ? list : []
}

function entriesAt(value: unknown, name: string): [string, unknown][] {
  const map = ownMember(value, name)
  return isObject(map) ? Object.entries(map) : []
}
