import { isExtensionKey } from '@doorplate/aadp-schemas'
import type { AadpConfig, RecordPolicy } from './aadp-config.js'
import { AadpConfigError } from '../errors/config-error.js'
import { checkResource } from './define-resource.js'
import type { FaultListeners } from '../errors/fault.js'
import { createFaultPrinter } from '../errors/fault-printer.js'
import { parseUrl } from './parse-url.js'
import type { Resource } from './resource-config.js'
import { readTimestamp, type Timestamp } from './timestamp.js'

/** The protocol's limit of items in one page. */
const MAX_PAGE_SIZE = 100
const MAX_CACHE_SECONDS = 31_536_000
/** The longest delay a timer takes. */
const MAX_TIMEOUT_MS = 2_147_483_647
const MIN_SECRET_LENGTH = 32
const DEFAULT_CACHE_BYTES = 64 * 1024 * 1024

const OPTIONS = new Set([
  'baseUrl',
  'version',
  'application',
  'links',
  'policies',
  'usageGuidance',
  'securitySchemes',
  'modules',
  'interfaces',
  'resources',
  'cacheMaxAgeSeconds',
  'pageSize',
  'routes',
  'lastModified',
  'cursorSecret',
  'cacheMaxBytes',
  'documentCacheMs',
  'upstreamTimeoutMs',
  'upstreamTimeoutStatus',
  'unpublishableRecords',
  'failingRecords',
  'onError',
  'now',
  'requestId',
])

/** The options of a declaration, checked and with their defaults; what only the manifest holds is not among them. */
export interface Settings extends FaultListeners {
  /** Without a trailing slash. */
  readonly origin: string
  readonly resources: ReadonlyMap<string, Resource>
  readonly cacheMaxAgeSeconds: number
  readonly pageSize: number
  readonly lastModified: Timestamp | undefined
  readonly cursorSecrets: readonly string[]
  readonly cacheMaxBytes: number
  readonly documentCacheMs: number
  readonly upstreamTimeoutMs: number | undefined
  readonly upstreamTimeoutStatus: number
  readonly unpublishableRecords: RecordPolicy
  readonly failingRecords: RecordPolicy
  readonly now: () => number
  readonly requestId: () => string
}

/** Throws `AadpConfigError` for the first option that cannot be used. */
export function checkConfig(config: AadpConfig): Settings {
  if (typeof config !== 'object' || (config as unknown) === null) throw invalid('config', 'must be an object')
  for (const key of Object.keys(config)) {
    if (OPTIONS.has(key) || isExtensionKey(key)) continue
    throw new AadpConfigError('unknown_option', key, 'is not an option')
  }
  const {
    version = '1.0',
    cacheMaxAgeSeconds = 300,
    pageSize = 50,
    lastModified,
    cursorSecret = [],
    cacheMaxBytes = DEFAULT_CACHE_BYTES,
    documentCacheMs = 0,
    upstreamTimeoutMs,
    upstreamTimeoutStatus = 504,
    unpublishableRecords = 'omit',
    failingRecords = 'fail',
    onError,
    now = Date.now,
    requestId = randomId,
  } = config
  if ((version as string) !== '1.0')
    throw new AadpConfigError('unsupported_version', 'version', 'must be "1.0"')
  return {
    origin: checkBaseUrl(config.baseUrl),
    resources: checkResources(config.resources),
    cacheMaxAgeSeconds: checkWhole('cacheMaxAgeSeconds', cacheMaxAgeSeconds, 0, MAX_CACHE_SECONDS),
    pageSize: Math.min(checkWhole('pageSize', pageSize, 1), MAX_PAGE_SIZE),
    lastModified: lastModified === undefined ? undefined : checkLastModified(lastModified),
    cursorSecrets: checkSecrets(cursorSecret),
    cacheMaxBytes: checkWhole('cacheMaxBytes', cacheMaxBytes, 0),
    documentCacheMs: checkWhole('documentCacheMs', documentCacheMs, 0),
    upstreamTimeoutMs:
      upstreamTimeoutMs === undefined
        ? undefined
        : checkWhole('upstreamTimeoutMs', upstreamTimeoutMs, 1, MAX_TIMEOUT_MS),
    upstreamTimeoutStatus: checkOneOf('upstreamTimeoutStatus', upstreamTimeoutStatus, [502, 504]),
    unpublishableRecords: checkOneOf('unpublishableRecords', unpublishableRecords, ['omit', 'fail']),
    failingRecords: checkOneOf('failingRecords', failingRecords, ['omit', 'fail']),
    onError: checkFunction('onError', onError),
    onUnheard: createFaultPrinter(),
    now: checkFunction('now', now),
    requestId: alwaysAnId(checkFunction('requestId', requestId)),
  }
}

function checkBaseUrl(baseUrl: unknown): string {
  const url = typeof baseUrl === 'string' ? parseUrl(baseUrl) : undefined
  if (url === undefined || (url.protocol !== 'https:' && url.protocol !== 'http:')) {
    throw invalidBaseUrl('must be an absolute http or https URL')
  }
  if (url.username !== '' || url.password !== '')
    throw invalidBaseUrl('must not hold a user name or password')
  if (url.pathname !== '/' || url.search !== '' || url.hash !== '' || /[?#]$/.test(baseUrl as string)) {
    throw invalidBaseUrl('must not hold a path, query or fragment')
  }
  return url.origin
}

function checkResources(resources: AadpConfig['resources']): ReadonlyMap<string, Resource> {
  const given: unknown = resources
  if (!Array.isArray(given)) throw invalid('resources', 'must be an array')
  const byType = new Map<string, Resource>()
  for (const [index, config] of resources.entries()) {
    const option = `resources[${String(index)}]`
    const resource = checkResource(config, option)
    if (byType.has(resource.type)) {
      throw new AadpConfigError(
        'duplicate_resource_type',
        `${option}.type`,
        `"${resource.type}" is declared twice`,
      )
    }
    byType.set(resource.type, resource)
  }
  return byType
}

function checkWhole(
  option: string,
  value: unknown,
  min: number,
  max: number = Number.MAX_SAFE_INTEGER,
): number {
  if (Number.isSafeInteger(value) && (value as number) >= min && (value as number) <= max)
    return value as number
  const range =
    max === Number.MAX_SAFE_INTEGER ? `of ${String(min)} or more` : `from ${String(min)} to ${String(max)}`
  throw invalid(option, `must be a whole number ${range}`)
}

function checkOneOf<Value>(option: string, value: Value, allowed: readonly Value[]): Value {
  if (allowed.includes(value)) return value
  throw invalid(option, `must be one of ${allowed.map((item) => JSON.stringify(item)).join(', ')}`)
}

function checkFunction<Value>(option: string, value: Value): Value {
  if (value === undefined || typeof value === 'function') return value
  throw invalid(option, 'must be a function')
}

function randomId(): string {
  return crypto.randomUUID()
}

/** An error envelope needs an id, also when what should make one fails. */
function alwaysAnId(make: () => unknown): () => string {
  return () => {
    try {
      const id = make()
      if (typeof id === 'string' && id !== '') return id
    } catch {
      // What failed already is what the requester is told.
    }
    return randomId()
  }
}

function checkLastModified(value: unknown): Timestamp {
  const timestamp = readTimestamp(value)
  if (timestamp === undefined)
    throw invalid('lastModified', 'must be a valid Date, or RFC 3339 text with time and zone')
  return timestamp
}

function checkSecrets(value: unknown): readonly string[] {
  const secrets: unknown[] = Array.isArray(value) ? value : [value]
  return secrets.map((secret) => {
    if (typeof secret === 'string' && secret.length >= MIN_SECRET_LENGTH) return secret
    throw invalid('cursorSecret', `must be a string of at least ${String(MIN_SECRET_LENGTH)} characters`)
  })
}

function invalid(option: string, message: string): AadpConfigError {
  return new AadpConfigError('invalid_option', option, message)
}

function invalidBaseUrl(message: string): AadpConfigError {
  return new AadpConfigError('invalid_base_url', 'baseUrl', message)
}
