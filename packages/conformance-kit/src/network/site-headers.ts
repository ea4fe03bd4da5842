import { invalidOption } from '../validate-option.js'

/** Options of `siteHeaders`. */
export interface SiteHeaders {
  /** Origin of the target. */
  readonly origin: string
  /** Header fields of the caller, for that origin alone. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** Names of those of `headers` that other origins may see too. */
  readonly crossOriginSafeHeaders?: readonly string[] | undefined
  /** What goes to every origin. */
  readonly defaults: Readonly<Record<string, string>>
}

/**
 * The header fields for a URL. Those of the caller go to the origin of the target alone, also when a document of the
 * site names another one or the site redirects there.
 *
 * @throws {ConformanceError} `invalid_option`
 */
export function siteHeaders({
  origin,
  headers = {},
  crossOriginSafeHeaders = [],
  defaults,
}: SiteHeaders): (url: string) => Readonly<Record<string, string>> {
  const own = lowerCased(headers)
  const safeNames = new Set(crossOriginSafeHeaders.map((name) => name.toLowerCase()))
  const safe = Object.fromEntries(Object.entries(own).filter(([name]) => safeNames.has(name)))
  const forTarget = Object.freeze({ ...defaults, ...own })
  const forOthers = Object.freeze({ ...defaults, ...safe })
  return (url) => (url.startsWith(`${origin}/`) || new URL(url).origin === origin ? forTarget : forOthers)
}

/** A site may repeat what it was sent: the words of header values that are not for everybody, short ones aside. */
export function secretsIn({
  headers = {},
  crossOriginSafeHeaders = [],
}: Pick<SiteHeaders, 'headers' | 'crossOriginSafeHeaders'>): readonly string[] {
  const open = new Set(crossOriginSafeHeaders.map((name) => name.toLowerCase()))
  return Object.entries(headers)
    .filter(([name]) => !open.has(name.toLowerCase()) && !NOT_SECRET.has(name.toLowerCase()))
    .flatMap(([, value]) => value.split(/[\s;,]+/))
    .filter((word) => word.length >= MIN_SECRET_LENGTH)
}

const NOT_SECRET: ReadonlySet<string> = new Set(['accept', 'accept-language', 'user-agent'])

const MIN_SECRET_LENGTH = 8

function lowerCased(headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const fields = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value] as const)
  if (fields.every(([name, value]) => FIELD_NAME.test(name) && isFieldValue(value)))
    return Object.fromEntries(fields)
  throw invalidOption('headers', 'an object of well-formed fields')
}

/** RFC 9110, sections 5.1 and 5.5. */
const FIELD_NAME = /^[!#$%&'*+\-.^_`|~0-9a-z]+$/
const FIELD_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/

function isFieldValue(value: unknown): boolean {
  return typeof value === 'string' && FIELD_VALUE.test(value)
}
