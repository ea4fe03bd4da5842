import { checkUrl, displayUrl, parseUrl } from '../guard/check-url.js'
import { SafeFetchError } from '../errors.js'
import type { HeaderList } from '../header-list.js'
import type { CallPlan } from './run-attempts.js'
import type { Policy } from '../options/options.js'
import type { HopBody } from '../body/request-body.js'
import { invalidOption } from '../options/validate-option.js'

const TOKEN = /^[!#$%&'*+\-.^_`|~0-9a-z]+$/i

/** Methods whose case Fetch mends. */
const NORMALIZED_METHODS: ReadonlySet<string> = new Set(['DELETE', 'GET', 'HEAD', 'OPTIONS', 'POST', 'PUT'])
const FORBIDDEN_METHODS: ReadonlySet<string> = new Set(['CONNECT', 'TRACE', 'TRACK'])

export interface CallParts {
  readonly method: string
  readonly headers: HeaderList
  readonly body: HopBody | null
  readonly redirect: CallPlan['redirect']
  readonly maxRedirects: number
}

/** Judges a call before anything is done for it. */
export function planCall(input: string | URL, policy: Policy, parts: CallParts): CallPlan {
  const url = planUrl(input, policy)
  const method = checkMethod(parts.method)
  if (parts.body !== null && (method === 'GET' || method === 'HEAD')) {
    throw invalidOption('body', 'absent for GET and HEAD')
  }
  const { headers, body, redirect, maxRedirects } = parts
  return { request: { url, method, headers, body }, redirect, maxRedirects }
}

/** The URL of a call, judged by every rule that needs no name lookup. */
export function planUrl(input: string | URL, policy: Policy): URL {
  const url = parseUrl(input, policy.baseUrl)
  checkOrigin(url, policy)
  checkUrl(url, policy)
  return url
}

function checkOrigin(url: URL, policy: Policy): void {
  if (policy.baseUrl === undefined || url.origin === policy.baseUrl.origin) return
  throw new SafeFetchError('blocked', 'The URL leaves the origin of the base URL.', {
    url: displayUrl(url),
    reason: 'origin',
  })
}

function checkMethod(method: string): string {
  const upper = typeof method === 'string' ? method.toUpperCase() : ''
  if (!TOKEN.test(upper) || FORBIDDEN_METHODS.has(upper))
    throw invalidOption('method', 'a method that Fetch permits')
  return NORMALIZED_METHODS.has(upper) ? upper : method
}
