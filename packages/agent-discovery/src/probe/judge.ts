import { findingOf } from '../kinds/finding-of.js'
import type { Finding } from '../resources/finding.js'
import { decodeText } from '../http/decode-text.js'
import { identify } from '../kinds/identify.js'
import type { Identification } from '../kinds/identification.js'
import type { Kind } from '../resources/kind.js'
import { isHtmlType, isJsonType } from '../http/media-type.js'
import { redactUrl } from '../url/redact-url.js'
import type { Evidence, ResourceState } from '../resources/resource.js'
import { wholeLines } from '../text/whole-lines.js'
import type { CappedResponse, FetchFailure } from './fetch-capped.js'
import type { Control, Controls } from './controls.js'
import { fingerprint, isSameAnswer, isSameShape, type Fingerprint } from './fingerprint.js'
import { isSentToLogin } from './login-redirect.js'

export interface Examined {
  readonly finding: Finding
  /** Nothing was learned: the budget was used up. */
  readonly unasked?: true
  /** What the document is, if it is one. */
  readonly identification?: Identification
  readonly text?: string
}

/** Kinds that may be HTML pages. */
const HTML_KINDS: ReadonlySet<Kind> = new Set<Kind>([
  'api-documentation',
  'service-status',
  'linked-resource',
  'nlweb',
])

/** Payment, permission and law. */
const REFUSALS: ReadonlySet<number> = new Set([402, 403, 451])

/** What an answer to a GET proves about a resource that is expected to be of a kind. */
export function judge(response: CappedResponse, expected: Kind, controls: Controls): Examined {
  const received = decodeText(response.bytes, response.headers.get('content-type'))
  const text = response.truncated ? wholeLines(received) || received : received
  const print = fingerprint(response, text)
  const { status } = response
  const plain = (state: ResourceState, ...reasons: string[]): Examined => ({
    finding: {
      kind: expected,
      state,
      reasons,
      warnings: [],
      evidence: evidenceOf(response, print.sha256, []),
    },
  })
  if (status === 401 || status === 407) return plain(...refused('auth-required', status, controls))
  if (REFUSALS.has(status)) return plain(...refused('blocked', status, controls))
  if (status === 404 || status === 410) return plain('absent', `status-${status}`)
  if (status === 429) return plain('inconclusive', 'rate-limited')
  if (status >= 500) return plain('error', `status-${status}`)
  if (status < 200 || status >= 300 || status === 206) return plain(...unusual(status, controls))
  if (response.bytes.byteLength === 0) return plain('absent', 'empty')
  const nothing = nothingBehind(response, print, expected, controls)
  if (nothing) return plain(...nothing)
  return judgeDocument(response, text, print, expected, controls)
}

/** A status that says neither yes nor no: where a path that cannot exist has it too, there is nothing. */
function unusual(status: number, { ofShape }: Controls): [ResourceState, ...string[]] {
  return ofShape?.print?.status === status
    ? ['absent', 'same-as-canary']
    : ['inconclusive', `status-${status}`]
}

/** A refusal says something only where a path that cannot exist is not refused in the same way. */
function refused(
  state: ResourceState,
  status: number,
  { ofShape, all }: Controls,
): [ResourceState, ...string[]] {
  if (ofShape?.print?.status !== status) return [state, `status-${status}`]
  const everywhere = all.every(({ print }) => print === undefined || print.status === status)
  return everywhere || !REFUSALS.has(status)
    ? ['inconclusive', 'same-as-canary']
    : ['absent', 'same-as-canary']
}

/** A success status with a page that is not what was asked for: a catch-all, a login page, a shell. */
function nothingBehind(
  response: CappedResponse,
  print: Fingerprint,
  expected: Kind,
  { ofShape }: Controls,
): [ResourceState, ...string[]] | undefined {
  const declaredHtml = response.mediaType !== undefined && isHtmlType(response.mediaType)
  const isPage = print.html || declaredHtml
  const misplaced = isPage && !HTML_KINDS.has(expected)
  const login = isPage && isSentToLogin(response)
  const sameAsCanary =
    (login && ofShape?.sentToLogin === true) ||
    (ofShape?.print !== undefined && isSameAnswer(print, ofShape.print))
  const reasons = [
    ...(misplaced ? [print.html && !declaredHtml ? 'html-body' : htmlReason(response.url)] : []),
    ...(sameAsCanary ? ['same-as-canary'] : []),
  ]
  // Where paths that cannot exist lead to a login too, that says nothing of this one.
  if (login) return [sameAsCanary ? 'inconclusive' : 'auth-required', 'login-redirect', ...reasons]
  if (reasons.length === 0) return undefined
  const isRedirected = response.redirects.length > 0
  return isRedirected && misplaced ? ['absent', 'redirect-to-html', ...reasons] : ['soft-404', ...reasons]
}

function htmlReason(url: string): string {
  return /\.(?:txt|md)$/.test(new URL(url).pathname) ? 'html-for-text' : 'html-for-json'
}

function judgeDocument(
  response: CappedResponse,
  text: string,
  print: Fingerprint,
  expected: Kind,
  controls: Controls,
): Examined {
  const identification = identify({ text, url: response.url, mediaType: response.mediaType, expected })
  const found = findingOf(identification, response.mediaType)
  const unspecific = found.kind === 'linked-resource' || found.kind === 'unknown-json'
  const finding = {
    ...found,
    ...overruled(identification, response, text, print, controls, expected),
    kind: unspecific ? expected : found.kind,
    warnings: [
      ...found.warnings,
      ...(response.redirects.length > 0 ? ['redirected'] : []),
      ...typeWarning(response, text),
    ],
    evidence: evidenceOf(response, print.sha256, identification.signature),
  }
  return { finding, identification, text }
}

/** What the answer as a whole says against the verdict on its text. */
function overruled(
  identification: Identification,
  response: CappedResponse,
  text: string,
  print: Fingerprint,
  { ofShape }: Controls,
  expected: Kind,
): Pick<Finding, 'state' | 'reasons'> | undefined {
  const { verdict, reasons, signature } = identification
  if (ofShape?.print && isSameShape(print, ofShape.print))
    return { state: 'soft-404', reasons: [...reasons, 'same-shape-as-canary'] }
  if (verdict !== 'verified' && response.truncated && looksJson(response, text))
    return { state: 'inconclusive', reasons: ['too-large'] }
  if (reasons.includes('not-found-heading')) return { state: 'soft-404', reasons }
  const isMarked = verdict === 'verified' || signature.length === 0
  if (!isMarked || !isJudgedAlike(identification, response, ofShape, expected)) return undefined
  const state = verdict === 'invalid' ? 'soft-404' : 'reachable'
  return { state, reasons: [...reasons, 'judged-as-canary'] }
}

/** Whether the answer to a path that cannot exist would be judged in the same way if it lay here: then that proves nothing. */
function isJudgedAlike(
  { kind, verdict, warnings }: Identification,
  { status, url }: CappedResponse,
  control: Control | undefined,
  expected: Kind,
): boolean {
  if (control?.text === undefined || control.print?.status !== status) return false
  const other = identify({ text: control.text, url, mediaType: control.print.mediaType, expected })
  return other.kind === kind && other.verdict === verdict && String(other.warnings) === String(warnings)
}

function typeWarning({ mediaType }: CappedResponse, text: string): readonly string[] {
  const json = /^\s*[[{]/.test(text)
  return json && mediaType !== undefined && !isJsonType(mediaType) ? ['media-type-not-json'] : []
}

function looksJson({ mediaType }: CappedResponse, text: string): boolean {
  return (mediaType !== undefined && isJsonType(mediaType)) || /^\s*[[{]/.test(text)
}

function mediaTypeOf({ mediaType }: CappedResponse): { mediaType?: string } {
  return mediaType === undefined ? {} : { mediaType }
}

function evidenceOf(response: CappedResponse, sha256: string, signature: readonly string[]): Evidence {
  return {
    method: 'GET',
    status: response.status,
    ...mediaTypeOf(response),
    bytes: response.bytes.byteLength,
    truncated: response.truncated,
    sha256,
    redirects: response.redirects.map((url) => redactUrl(url).url),
    signature,
  }
}

/** A HEAD proves that something answers, and never what: nothing is verified by it. */
export function judgeHead(response: CappedResponse, expected: Kind): Finding {
  const { status, mediaType } = response
  const { sha256: _sha256, ...evidence } = evidenceOf(response, '', [])
  const finding = { kind: expected, warnings: [], evidence: { ...evidence, method: 'HEAD' as const } }
  if (status === 401 || status === 407)
    return { ...finding, state: 'auth-required', reasons: [`status-${status}`] }
  if (REFUSALS.has(status)) return { ...finding, state: 'blocked', reasons: [`status-${status}`] }
  if (status === 404 || status === 410) return { ...finding, state: 'absent', reasons: [`status-${status}`] }
  if (status < 200 || status >= 300)
    return { ...finding, state: 'inconclusive', reasons: [`status-${status}`] }
  const html = mediaType !== undefined && isHtmlType(mediaType) && !HTML_KINDS.has(expected)
  if (html) return { ...finding, state: 'soft-404', reasons: [htmlReason(response.url), 'head-only'] }
  return { ...finding, state: 'reachable', reasons: ['head-only'], ...mediaTypeOf(response) }
}

/** What a failure to get an answer says. */
export function judgeFailure(failure: FetchFailure, expected: Kind, controls?: Controls): Finding {
  const finding = { kind: expected, warnings: [] }
  switch (failure.failure) {
    case 'timeout':
      return { ...finding, state: 'error', reasons: ['timeout'] }
    case 'network':
      return {
        ...finding,
        state: 'error',
        reasons: failure.detail === undefined ? ['network-error'] : ['network-error', failure.detail],
      }
    case 'blocked-by-policy':
      return { ...finding, state: 'blocked', reasons: ['blocked-by-policy'] }
    case 'budget-exhausted':
      return { ...finding, state: 'inconclusive', reasons: ['requests-exhausted'] }
    case 'redirect-cross-origin': {
      if (!isSentToLogin(failure))
        return { ...finding, state: 'inconclusive', reasons: ['redirect-cross-origin'] }
      const reasons = ['login-redirect', 'redirect-cross-origin']
      return controls?.ofShape?.sentToLogin === true
        ? { ...finding, state: 'inconclusive', reasons: [...reasons, 'same-as-canary'] }
        : { ...finding, state: 'auth-required', reasons }
    }
    case 'too-many-redirects':
    case 'invalid-redirect':
      return { ...finding, state: 'error', reasons: [failure.failure] }
  }
}
