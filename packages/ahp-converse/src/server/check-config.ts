import { CAPABILITY_NAME_GRAMMAR, MANIFEST_PATH, MODES, RESPONSE_TYPE_GRAMMAR } from '@doorplate/ahp-manifest'
import { invalidOption } from '../converse-error.js'
import type { CapabilityConfig, ConciergeConfig, KnowledgeSource, PathsConfig } from './concierge-config.js'
import { ACTION_OPTIONS, checkAction } from './check-action.js'
import {
  checkBoolean,
  checkFunction,
  checkOneOf,
  checkWhole,
  isListOfTexts,
  isRecord,
  MAX_TIMEOUT_MS,
  refuseUnknown,
} from './check-option.js'
import { checkPath } from './check-path.js'
import type { Face } from './face.js'
import { checkLogger } from './observe/logger.js'
import type { ServedCapability } from './served-capability.js'

/** The most that a visitor can ask for. */
const MAX_TOKENS = 32_768
const MAX_AGE_SECONDS = 31_536_000
const CONTENT_SIGNALS = ['ai_train', 'ai_input', 'search', 'attribution_required'] as const

const OPTIONS: readonly (keyof ConciergeConfig)[] = [
  'name',
  'description',
  'publicUrl',
  'contentSignals',
  'capabilities',
  'knowledge',
  'content',
  'paths',
  'links',
  'faces',
  'integrations',
  'schema01Strict',
  'verify',
  'authentication',
  'allowOrigins',
  'limits',
  'sessions',
  'cache',
  'trustedProxies',
  'maxRequestBytes',
  'maxAnswerTokens',
  'answerTimeoutMs',
  'maxConcurrentAnswers',
  'maxAgeSeconds',
  'jobs',
  'inbox',
  'callbacks',
  'identifyAgent',
  'logger',
  'observe',
  'health',
  'onError',
  'now',
  'random',
]
const CAPABILITY_OPTIONS: readonly (keyof CapabilityConfig)[] = [
  'description',
  'mode',
  'responseTypes',
  'acceptFallback',
  'answer',
  'auth',
  'scopes',
  'cache',
  ...ACTION_OPTIONS,
]

/** The numbers of a declaration, checked and with their defaults. */
export interface Settings {
  readonly maxRequestBytes: number
  readonly maxAnswerTokens: number
  readonly answerTimeoutMs: number
  readonly maxConcurrentAnswers: number
  readonly maxAgeSeconds: number
}

/** @throws {ConverseError} `invalid_option` for the first option that cannot be used */
export function checkSettings(config: ConciergeConfig): Settings {
  if (!isRecord(config)) throw invalidOption('config', 'must be an object')
  refuseUnknown(config, OPTIONS)
  checkOrigin('publicUrl', config.publicUrl)
  checkSignals(config.contentSignals)
  checkKnowledge(config.knowledge)
  for (const name of ['verify', 'identifyAgent', 'observe', 'onError', 'now', 'random'] as const)
    checkFunction(name, config[name])
  if (config.authentication !== undefined)
    checkOneOf('authentication', config.authentication, ['bearer', 'api_key'])
  checkOrigins(config.allowOrigins)
  checkLogger(config.logger)
  return {
    maxRequestBytes: checkWhole('maxRequestBytes', config.maxRequestBytes ?? 8192, 1),
    maxAnswerTokens: checkWhole('maxAnswerTokens', config.maxAnswerTokens ?? 1024, 1, MAX_TOKENS),
    answerTimeoutMs: checkWhole('answerTimeoutMs', config.answerTimeoutMs ?? 30_000, 1, MAX_TIMEOUT_MS),
    maxConcurrentAnswers: checkWhole('maxConcurrentAnswers', config.maxConcurrentAnswers ?? 64, 1),
    maxAgeSeconds: checkWhole('maxAgeSeconds', config.maxAgeSeconds ?? 3600, 0, MAX_AGE_SECONDS),
  }
}

/** @throws {ConverseError} `invalid_option` */
export function checkPaths({ converse = '/agent/converse', content = '/llms.txt' }: PathsConfig = {}): {
  readonly converse: string
  readonly content: string
} {
  for (const [option, path] of Object.entries({ 'paths.converse': converse, 'paths.content': content })) {
    checkPath(option, path)
    if (path === MANIFEST_PATH) throw invalidOption(option, 'is where the manifest is')
  }
  if (content === converse) throw invalidOption('paths.content', 'must be another path than paths.converse')
  return { converse, content }
}

/** @throws {ConverseError} `invalid_option` */
export function checkFaces(faces: readonly Face[], { converse, content }: Required<PathsConfig>): void {
  if (!Array.isArray(faces)) throw invalidOption('faces', 'must be an array')
  const taken = new Set([MANIFEST_PATH, converse, content])
  const names = new Set<string>()
  for (const [index, face] of (faces as readonly Face[]).entries()) {
    if (!isRecord(face)) throw invalidOption(`faces[${index}]`, 'must be a face, such as mcpFace()')
    const { name, path, open } = face
    checkFunction(`faces[${index}].open`, open)
    if (names.has(name)) throw invalidOption(`faces[${index}]`, `must be another face than ${name}`)
    if (taken.has(path)) throw invalidOption(`faces[${index}].path`, 'must be a path that nothing else has')
    names.add(name)
    taken.add(path)
  }
}

/** @throws {ConverseError} `invalid_option` */
export function checkCapabilities(config: ConciergeConfig): ReadonlyMap<string, ServedCapability> {
  if (!isRecord(config.capabilities) || Object.keys(config.capabilities).length === 0)
    throw invalidOption('capabilities', 'must be an object with a capability or more')
  return new Map(
    Object.entries(config.capabilities).map(([name, own]) => [name, checkCapability(name, own, config)]),
  )
}

function checkCapability(name: string, own: CapabilityConfig, config: ConciergeConfig): ServedCapability {
  const at = `capabilities.${name}`
  if (!CAPABILITY_NAME_GRAMMAR.test(name))
    throw invalidOption(at, 'must be named by up to 64 of a-z, 0-9 and _, a letter first')
  if (!isRecord(own)) throw invalidOption(at, 'must be an object')
  refuseUnknown(own, CAPABILITY_OPTIONS, at)
  const { description, mode, responseTypes = defaultTypes(own), acceptFallback = false, scopes = [] } = own
  if (typeof (description as unknown) !== 'string' || description.length > 256)
    throw invalidOption(`${at}.description`, 'must be a string of at most 256 characters')
  checkOneOf(`${at}.mode`, mode, MODES)
  const action = checkAction(at, own)
  checkTypes(`${at}.responseTypes`, responseTypes)
  checkBoolean(`${at}.acceptFallback`, acceptFallback)
  if (!isListOfTexts(scopes)) throw invalidOption(`${at}.scopes`, 'must be an array of strings')
  const mustAsk = action.tier === 'action' || scopes.length > 0
  const auth = checkOneOf(`${at}.auth`, own.auth ?? (mustAsk ? 'required' : 'none'), ['none', 'required'])
  if (auth === 'none' && mustAsk)
    throw invalidOption(`${at}.auth`, 'must be required for actions, async and where there are scopes')
  if (auth === 'required' && config.verify === undefined)
    throw invalidOption('verify', `is needed for ${at}, which asks for a credential`)
  checkFunction(`${at}.answer`, own.answer)
  const answer = own.answer ?? config.knowledge?.answer
  if (answer === undefined) throw invalidOption(`${at}.answer`, 'is needed where there is no knowledge')
  const isCacheable = checkBoolean(
    `${at}.cache`,
    own.cache ?? (own.answer === undefined && action.job === undefined),
  )
  if (isCacheable && action.job !== undefined)
    throw invalidOption(`${at}.cache`, 'is not for what acts or is answered later')
  return {
    name,
    description,
    mode,
    ...action,
    answer,
    responseTypes: [...responseTypes],
    acceptFallback,
    scopes: [...scopes],
    needsPrincipal: auth === 'required',
    isCacheable,
    ...(own.answer === undefined ? { revision: () => config.knowledge?.revision } : {}),
  }
}

function checkSignals(signals: ConciergeConfig['contentSignals']): void {
  if (!isRecord(signals))
    throw invalidOption('contentSignals', `must be an object with ${CONTENT_SIGNALS.join(', ')}`)
  refuseUnknown(signals, CONTENT_SIGNALS, 'contentSignals')
  for (const name of CONTENT_SIGNALS) checkBoolean(`contentSignals.${name}`, signals[name])
}

function checkKnowledge(knowledge: ConciergeConfig['knowledge']): void {
  if (knowledge === undefined || typeof (knowledge as Partial<KnowledgeSource> | null)?.answer === 'function')
    return
  throw invalidOption('knowledge', 'must have a function answer, as what `await createKnowledge()` gives')
}

/** What has an output schema is data first of all. */
function defaultTypes({ mode, actionType }: CapabilityConfig): readonly string[] {
  if (mode !== 'MODE3') return ['text/answer']
  return [actionType === 'action' ? 'application/action-result' : 'application/data', 'text/answer']
}

function checkTypes(option: string, types: unknown): void {
  const isList = Array.isArray(types) && types.length > 0 && new Set(types).size === types.length
  if (isList && types.every((type) => typeof type === 'string' && RESPONSE_TYPE_GRAMMAR.test(type))) return
  throw invalidOption(option, 'must be a list of response types such as text/answer, none twice')
}

function checkOrigins(origins: unknown): void {
  if (origins === undefined) return
  if (!Array.isArray(origins)) throw invalidOption('allowOrigins', 'must be an array')
  for (const [index, origin] of origins.entries()) {
    if (origin !== '*') checkOrigin(`allowOrigins[${index}]`, origin)
  }
}

function checkOrigin(option: string, value: unknown): void {
  const rule = 'must be an origin, such as https://books.example, without a path'
  if (typeof value !== 'string' || !URL.canParse(value)) throw invalidOption(option, rule)
  const { protocol, origin, href } = new URL(value)
  const isWeb = protocol === 'https:' || protocol === 'http:'
  if (!isWeb || (value.toLowerCase() !== origin && href !== `${origin}/`)) throw invalidOption(option, rule)
}
