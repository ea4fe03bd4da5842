import { AadpConfigError } from '../errors/config-error.js'

export type Placeholder = 'type' | 'id'

/** A segment of a template: fixed text around at most one placeholder, percent-encoded as it appears on the wire. */
interface Segment {
  readonly prefix: string
  readonly placeholder: Placeholder | undefined
  readonly suffix: string
}

/** A path with placeholders. Matching and building both read these segments, so that they cannot disagree. */
export interface RouteTemplate {
  readonly segments: readonly Segment[]
  readonly placeholders: readonly Placeholder[]
  /** Matches a whole raw path, with a group for each of `placeholders`. */
  readonly pattern: RegExp
}

// eslint-disable-next-line no-control-regex -- control characters are what is being refused
const UNSAFE = /[\u0000-\u001f\u007f?#\\]/
const DOT_SEGMENT = /^(?:\.|%2e){1,2}$/i
/** The path percent-encode set of the URL Standard, beyond controls and what is not ASCII. */
const PATH_ENCODE_SET = /[^\x21\x24-\x3b\x3d\x40-\x5d\x5f\x61-\x7a\x7c\x7e%]/gu

/** Parses a path such as `/shop/{type}/{id}.json`; `option` names it in errors (`invalid_route`). */
export function parseRouteTemplate(template: unknown, option: string): RouteTemplate {
  if (typeof template !== 'string') throw invalidRoute(option, 'must be a string')
  if (!template.isWellFormed()) throw invalidRoute(option, 'must not hold a lone surrogate')
  if (!template.startsWith('/')) throw invalidRoute(option, 'must start with "/"')
  if (UNSAFE.test(template)) {
    throw invalidRoute(option, 'must not hold "?", "#", a backslash or a control character')
  }
  const segments = template
    .slice(1)
    .split('/')
    .map((text) => parseSegment(text, option))
  const placeholders = segments.flatMap(({ placeholder }) => placeholder ?? [])
  if (new Set(placeholders).size < placeholders.length)
    throw invalidRoute(option, 'must not repeat a placeholder')
  return { segments, placeholders, pattern: patternOf(segments) }
}

/** The path with its placeholders filled, each value encoded as one segment. `.` and `..` are refused by a `RangeError`. */
export function fillRouteTemplate(
  template: RouteTemplate,
  values: Readonly<Partial<Record<Placeholder, string>>>,
): string {
  let path = ''
  for (const { prefix, placeholder, suffix } of template.segments) {
    const value = placeholder === undefined ? '' : encodeURIComponent(values[placeholder] ?? '')
    const segment = prefix + value + suffix
    if (segment === '' || DOT_SEGMENT.test(segment))
      throw new RangeError('a path segment must not be empty, "." or ".."')
    path += `/${segment}`
  }
  return path
}

/** The raw, still encoded values of the placeholders when the whole path fits; `undefined` otherwise. */
export function matchRouteTemplate(
  template: RouteTemplate,
  path: string,
): Partial<Record<Placeholder, string>> | undefined {
  const match = template.pattern.exec(path)
  if (match === null) return undefined
  const values: Partial<Record<Placeholder, string>> = {}
  let group = 0
  for (const placeholder of template.placeholders) values[placeholder] = match[++group] ?? ''
  return values
}

/** True when one path could fit both. A placeholder may stand for anything, so this errs on the side of a collision. */
export function mayCollide(one: RouteTemplate, other: RouteTemplate): boolean {
  if (one.segments.length !== other.segments.length) return false
  return one.segments.every((segment, index) => {
    const counterpart = other.segments[index]
    return counterpart !== undefined && segmentsMayCollide(segment, counterpart)
  })
}

function patternOf(segments: readonly Segment[]): RegExp {
  const parts = segments.map(({ prefix, placeholder, suffix }) => {
    const value = placeholder === undefined ? '' : '([^/]+)'
    return `/${escapePattern(prefix)}${value}${escapePattern(suffix)}`
  })
  return new RegExp(`^${parts.join('')}$`)
}

function escapePattern(literal: string): string {
  return literal.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
}

function segmentsMayCollide(one: Segment, other: Segment): boolean {
  if (one.placeholder === undefined && other.placeholder === undefined) return one.prefix === other.prefix
  if (one.placeholder === undefined) return isFilling(other, one.prefix)
  if (other.placeholder === undefined) return isFilling(one, other.prefix)
  const prefixes = one.prefix.startsWith(other.prefix) || other.prefix.startsWith(one.prefix)
  const suffixes = one.suffix.endsWith(other.suffix) || other.suffix.endsWith(one.suffix)
  return prefixes && suffixes
}

function isFilling({ prefix, suffix }: Segment, text: string): boolean {
  return text.length > prefix.length + suffix.length && text.startsWith(prefix) && text.endsWith(suffix)
}

function parseSegment(text: string, option: string): Segment {
  if (text === '') throw invalidRoute(option, 'must not hold an empty segment or end in "/"')
  const [prefix = '', ...rest] = text.split(/[{}]/)
  if (rest.length === 0)
    return { prefix: encodeLiteral(literal(text, option), option), placeholder: undefined, suffix: '' }
  const match = /^([^{}]*)\{([^{}]*)\}([^{}]*)$/.exec(text)
  if (match === null) throw invalidRoute(option, `segment "${text}" must hold at most one whole placeholder`)
  const [, , placeholder, suffix = ''] = match
  if (placeholder !== 'type' && placeholder !== 'id') {
    throw invalidRoute(option, `"{${placeholder ?? ''}}" is not a placeholder; there are {type} and {id}`)
  }
  return { prefix: encodeLiteral(prefix, option), placeholder, suffix: encodeLiteral(suffix, option) }
}

function literal(text: string, option: string): string {
  if (DOT_SEGMENT.test(text)) throw invalidRoute(option, 'must not hold "." or ".." as a segment')
  return text
}

/** Existing escapes stay, in upper case; the rest is encoded as the URL Standard encodes a path. */
function encodeLiteral(text: string, option: string): string {
  if (/%(?![0-9a-f]{2})/i.test(text)) throw invalidRoute(option, 'holds a "%" that starts no escape')
  const encoded = text
    .replace(/%[0-9a-f]{2}/gi, (escape) => escape.toUpperCase())
    .replace(PATH_ENCODE_SET, (character) => encodeURIComponent(character))
  try {
    decodeURIComponent(encoded)
  } catch {
    throw invalidRoute(option, 'holds an escape that is not UTF-8')
  }
  return encoded
}

function invalidRoute(option: string, message: string): AadpConfigError {
  return new AadpConfigError('invalid_route', option, message)
}
