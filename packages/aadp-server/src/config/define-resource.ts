import { isExtensionKey, TOKEN_GRAMMAR } from '@doorplate/aadp-schemas'
import { AadpConfigError } from '../errors/config-error.js'
import { isLocale } from './locale.js'
import type { Resource, ResourceConfig } from './resource-config.js'

const OPTIONS = new Set([
  'type',
  'mediaTypes',
  'security',
  'locales',
  'count',
  'list',
  'get',
  'serialize',
  'identify',
  'markdown',
])
const REQUIRED_FUNCTIONS = ['list', 'get', 'serialize'] as const
const OPTIONAL_FUNCTIONS = ['identify', 'markdown'] as const

/**
 * Checks a resource and returns a frozen copy of it. Throws `AadpConfigError` (`invalid_option`, `unknown_option`).
 */
export function defineResource<Item>(config: ResourceConfig<Item>): Resource<Item> {
  return checkResource(config, 'resource')
}

/** @param option how errors name the resource */
export function checkResource<Item>(config: ResourceConfig<Item>, option: string): Resource<Item> {
  if (typeof config !== 'object' || (config as unknown) === null) throw invalid(option, 'must be an object')
  for (const key of Object.keys(config)) {
    if (OPTIONS.has(key) || isExtensionKey(key)) continue
    throw new AadpConfigError('unknown_option', `${option}.${key}`, 'is not an option of a resource')
  }
  const { type, mediaTypes, security, locales, count }: Partial<ResourceConfig<Item>> = config
  if (typeof type !== 'string' || !TOKEN_GRAMMAR.test(type)) {
    throw invalid(`${option}.type`, `must match ${TOKEN_GRAMMAR.source}`)
  }
  if (security !== undefined && typeof security !== 'string')
    throw invalid(`${option}.security`, 'must be the name of one of securitySchemes')
  if (mediaTypes !== undefined && !isArray(mediaTypes))
    throw invalid(`${option}.mediaTypes`, 'must be an array')
  if (locales !== undefined) checkLocales(locales, `${option}.locales`)
  if (typeof count !== 'function' && count !== undefined && !isCount(count)) {
    throw invalid(`${option}.count`, 'must be a whole number of 0 or more, or a function')
  }
  for (const name of REQUIRED_FUNCTIONS) {
    if (!Object.hasOwn(config, name) || typeof config[name] !== 'function')
      throw invalid(`${option}.${name}`, 'must be a function')
  }
  for (const name of OPTIONAL_FUNCTIONS) {
    if (config[name] !== undefined && typeof config[name] !== 'function') {
      throw invalid(`${option}.${name}`, 'must be a function')
    }
  }
  return Object.freeze({
    ...config,
    ...(mediaTypes && { mediaTypes: Object.freeze([...mediaTypes]) }),
    ...(locales && { locales: Object.freeze([...locales]) as unknown as readonly [string, ...string[]] }),
  })
}

/** True for a number that the sitemap index may publish as `count`. */
export function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0
}

function checkLocales(locales: readonly string[], option: string): void {
  if (!isArray(locales) || locales.length === 0) throw invalid(option, 'must be a non-empty array')
  for (const [index, locale] of locales.entries()) {
    if (typeof locale !== 'string' || !isLocale(locale)) {
      throw invalid(`${option}[${String(index)}]`, 'must be a BCP 47 tag such as "vi" or "pt-BR"')
    }
  }
  const distinct = new Set(locales.map((locale) => locale.toLowerCase()))
  if (distinct.size !== locales.length) throw invalid(option, 'must not name a locale twice')
}

/** `Array.isArray` that leaves the type of a readonly array as it is. */
function isArray(value: unknown): boolean {
  return Array.isArray(value)
}

function invalid(option: string, message: string): AadpConfigError {
  return new AadpConfigError('invalid_option', option, message)
}
