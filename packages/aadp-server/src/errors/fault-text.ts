import type { Fault, FaultOperation } from './fault.js'
import type { UnpublishableRecordError } from './unpublishable-record-error.js'

/** Says by itself which member it is about. */
const UNPUBLISHABLE: UnpublishableRecordError['code'] = 'unpublishable_record'
const MAX_REASON_LENGTH = 500
/** A user name and password in the URL of a database, for instance. */
const USER_INFO = /\/\/[^\s/@]+@/g
/** A line has to stay one, and must not draw over others. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu

const ADVICE: Readonly<Record<FaultOperation, string>> = {
  list: 'Look at list of the resource.',
  get: 'Look at get of the resource.',
  count: 'Look at count of the resource.',
  serialize: 'Look at serialize and identify of the resource.',
  publish: 'Change what serialize gives.',
  markdown: 'Look at markdown of the resource.',
  respond: 'Please report it to @doorplate/aadp-server.',
}

/** One line for whoever runs the site: what happened, to which record, why, and where to look. */
export function faultText(error: unknown, fault: Fault): string {
  return `${eventOf(fault)}: ${reasonOf(error)}. ${ADVICE[fault.operation]}`
}

function eventOf({ operation, outcome, requestId, type, id }: Fault): string {
  const subject = JSON.stringify(oneLine(id ?? type ?? 'the site'))
  switch (outcome) {
    case 'record_omitted':
      return `Left out ${id === undefined ? `a record of ${subject}` : subject}`
    case 'count_omitted':
      return `Left out the count of ${subject}`
    case 'request_failed':
      return `Request ${requestId} failed at ${operation} of ${subject}`
  }
}

/** What was thrown and what that is due to, without the user names and passwords of URLs, on one line. */
function reasonOf(error: unknown): string {
  const { cause } = error instanceof Error ? error : {}
  const reason = cause === undefined ? messageOf(error) : `${messageOf(error)}, caused by ${messageOf(cause)}`
  return oneLine(reason.replace(USER_INFO, '//')).replace(/\.$/, '')
}

function messageOf(error: unknown): string {
  if (typeof error === 'string') return error
  if (!(error instanceof Error)) return `a thrown ${error === null ? 'null' : typeof error}`
  const { code } = error as { readonly code?: unknown }
  if (code === UNPUBLISHABLE) return error.message
  return `${error.name}: ${error.message || (typeof code === 'string' ? code : 'without a message')}`
}

function oneLine(text: string): string {
  const line = text.replace(UNSEEN, ' ').trim()
  return line.length > MAX_REASON_LENGTH ? `${line.slice(0, MAX_REASON_LENGTH - 1)}…` : line
}
