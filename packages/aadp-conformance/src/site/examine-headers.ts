import type { Finding } from '@doorplate/conformance-kit'
import type { ExaminedKind, Sides } from './examination.js'
import type { Standard } from './examine-document.js'
import type { DocumentReading } from './read-document.js'

/** The sides of a document that its response shows, whatever kind of document it is. */
export function examineTransport(reading: DocumentReading, kind: ExaminedKind, standard: Standard): Sides {
  if (reading.status !== 200) return {}
  return {
    encoding: examineEncoding(reading, standard),
    media_type: examineMediaType(reading, standard),
    cache_control: examineCacheControl(reading, standard),
    redirect: examineRedirect(reading, standard),
    scheme: examineScheme(reading, kind, standard),
  }
}

/** What a document says about its own state: what its validators have to agree with. */
export interface DocumentState {
  readonly checksum: string
  /** `generated_at` or `updated_at`. */
  readonly time: string
}

/** `ETag` and `Last-Modified` against the document that came with them. */
export function examineValidators(
  { url, headers }: DocumentReading,
  { checksum, time }: DocumentState,
  { rule }: Standard,
): readonly Finding[] {
  const findings: Finding[] = []
  const etag = headers['etag']
  const expected = `"${checksum}"`
  if (etag === undefined) {
    findings.push({ requirement: rule('CACHE-001'), url, message: `There is no ETag; expected ${expected}.` })
  } else if (opaqueTag(etag) !== expected) {
    findings.push({ requirement: rule('CACHE-001'), url, message: `ETag is ${etag}, expected ${expected}.` })
  }
  const modified = headers['last-modified']
  if (modified === undefined) {
    findings.push({ requirement: rule('CACHE-003'), url, message: 'There is no Last-Modified.' })
  } else if (!agrees(modified, time)) {
    findings.push({
      requirement: rule('CACHE-003'),
      url,
      message: `Last-Modified is ${modified}; the document says ${time}.`,
    })
  }
  return findings
}

/** A document of a protected type is kept out of shared caches. */
export function examineProtection(
  { url, headers }: DocumentReading,
  type: string,
  { rule }: Standard,
): readonly Finding[] {
  const field = headers['cache-control']
  if (hasDirective(field, 'private', 'no-store')) return []
  const message = `Type ${type} is protected, but Cache-Control is ${field ?? 'absent'}.`
  return [{ requirement: rule('CACHE-010'), url, message }]
}

/** Why a document of a protected type could not be read, when it asks for a credential that the run does not have. */
export function withheld(
  { status }: DocumentReading,
  type: string,
  isProtected: boolean,
): string | undefined {
  const isDenied = isProtected && (status === 401 || status === 403)
  return isDenied ? `Type ${type} needs a credential; give it with --header.` : undefined
}

/** A time as Doorplate wants it: capital letters, and not from the future. */
export function examineTime(
  url: string,
  pointer: string,
  time: string,
  { rule, latestMs, latestText }: Standard,
): readonly Finding[] {
  // Nearly every time is plain UTC of the past, which its text shows, and reading dates is slow.
  if (time[10] === 'T' && time.endsWith('Z') && time < latestText) return []
  const findings: Finding[] = []
  if (!/T.*(Z|[+-]\d\d:\d\d)$/.test(time)) {
    const message = `${time} is not written with T and Z.`
    findings.push({ requirement: rule('DOC-008'), url, pointer, message })
  }
  if (Date.parse(time) > latestMs) {
    findings.push({ requirement: rule('CACHE-017'), url, pointer, message: `${time} lies in the future.` })
  }
  return findings
}

/** An entity tag without the mark of weakness. */
export function opaqueTag(etag: string): string {
  return etag.startsWith('W/') ? etag.slice(2) : etag
}

/** True when the field lists the directive. */
export function hasDirective(cacheControl: string | undefined, ...names: readonly string[]): boolean {
  const directives = (cacheControl ?? '').toLowerCase().split(',')
  return directives.some((directive) => names.includes(directive.trim().split('=', 1)[0] ?? ''))
}

/** True for a media type, with or without parameters. */
export function isJson(contentType: string | undefined): boolean {
  return (
    contentType === 'application/json' ||
    contentType?.split(';', 1)[0]?.trim().toLowerCase() === 'application/json'
  )
}

/** HTTP dates have no fractions of a second, and dates of JavaScript no leap second. */
function agrees(httpDate: string, time: string): boolean {
  if (isSameText(httpDate, time)) return true
  const documentMs = Date.parse(time.replace(/:60(?=\D)/, ':59'))
  return Math.floor(Date.parse(httpDate) / 1000) === Math.floor(documentMs / 1000)
}

/** Whether an IMF-fixdate and a time of UTC are the same second by their texts: reading dates is slow. */
function isSameText(httpDate: string, time: string): boolean {
  const [, day, month = '', year, clock] = IMF_FIXDATE.exec(httpDate) ?? []
  return time.endsWith('Z') && time.startsWith(`${year}-${MONTHS[month]}-${day}T${clock}`)
}

/** RFC 9110, section 5.6.7. */
const IMF_FIXDATE = /^[A-Z][a-z]{2}, (\d\d) ([A-Z][a-z]{2}) (\d{4}) (\d\d:\d\d:\d\d) GMT$/

const MONTHS: Readonly<Partial<Record<string, string>>> = Object.assign(
  Object.create(null) as Record<string, string>,
  { Jan: '01', Feb: '02', Mar: '03', Apr: '04', May: '05', Jun: '06' },
  { Jul: '07', Aug: '08', Sep: '09', Oct: '10', Nov: '11', Dec: '12' },
)

function examineEncoding({ url, encodingFault }: DocumentReading, { rule }: Standard): readonly Finding[] {
  return encodingFault === undefined ? [] : [{ requirement: rule('DOC-001'), url, message: encodingFault }]
}

function examineMediaType({ url, headers }: DocumentReading, { rule }: Standard): readonly Finding[] {
  const type = headers['content-type']
  if (isJson(type)) return []
  return [
    {
      requirement: rule('HTTP-003'),
      url,
      message: `Content-Type is ${type ?? 'absent'}, expected application/json.`,
    },
  ]
}

function examineCacheControl({ url, headers }: DocumentReading, { rule }: Standard): readonly Finding[] {
  if (headers['cache-control'] !== undefined) return []
  return [{ requirement: rule('CACHE-013'), url, message: 'There is no Cache-Control.' }]
}

function examineRedirect({ url, exchange }: DocumentReading, { rule }: Standard): readonly Finding[] {
  if (!exchange.ok || !exchange.response.redirected) return []
  const message = `The URL redirects to ${exchange.response.url}; readers and caches have one request more for each document.`
  return [{ requirement: rule('HTTP-006'), url, message, advisory: true }]
}

function examineScheme(
  { url }: DocumentReading,
  kind: ExaminedKind,
  { rule, isPlainLoopback }: Standard,
): readonly Finding[] {
  if (isPlainLoopback || url.startsWith('https:')) return []
  return [{ requirement: rule('HTTP-023'), url, message: `The ${kind} is served over plain http.` }]
}
