import { SafeFetchError } from './errors.js'

/** Header fields in order: lower-case name, value. */
export type HeaderList = readonly (readonly [name: string, value: string])[]

/** Header values as undici parses them: own members, lower-case names, an array for a repeated field. */
export type RawHeaders = Readonly<Record<string, string | string[] | undefined>>

const TOKEN = /^[!#$%&'*+\-.^_`|~0-9a-z]+$/
// RFC 9110, section 5.5, with obs-text; no CR, LF or NUL.
const VALUE = /^[\t\x20-\x7e\x80-\xff]*$/

/** Fields that frame the message or the connection: the transport writes them, a caller's are dropped (as in Fetch). */
const TRANSPORT_FIELDS: ReadonlySet<string> = new Set([
  'connection',
  'content-length',
  'expect',
  'host',
  'keep-alive',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

/** Fields that say nothing about who asks and may follow a redirect to another origin. */
const CROSS_ORIGIN_FIELDS: ReadonlySet<string> = new Set([
  'accept',
  'accept-encoding',
  'accept-language',
  'content-encoding',
  'content-language',
  'content-type',
  'user-agent',
])

/** Fields that describe a request body (Fetch standard, "request-body-header name"). */
const BODY_FIELDS: ReadonlySet<string> = new Set([
  'content-encoding',
  'content-language',
  'content-location',
  'content-type',
])

export function createHeaderList(option: string, fields: Iterable<readonly [string, string]>): HeaderList {
  const list: [string, string][] = []
  for (const [rawName, rawValue] of fields) {
    const name = rawName.toLowerCase()
    const value = typeof rawValue === 'string' ? rawValue.trim() : rawValue
    if (!TOKEN.test(name) || typeof value !== 'string' || !VALUE.test(value)) {
      throw new SafeFetchError('invalid_option', `Option ${option} holds a malformed header field.`, {
        option,
      })
    }
    if (!TRANSPORT_FIELDS.has(name)) list.push([name, value])
  }
  return list
}

export function forOtherOrigin(list: HeaderList): HeaderList {
  return list.filter(([name]) => CROSS_ORIGIN_FIELDS.has(name))
}

export function withoutBodyFields(list: HeaderList): HeaderList {
  return list.filter(([name]) => !BODY_FIELDS.has(name))
}

export function hasField(list: HeaderList, name: string): boolean {
  for (const field of list) if (field[0] === name) return true
  return false
}
