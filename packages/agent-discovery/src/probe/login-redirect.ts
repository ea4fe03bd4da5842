import type { CappedResponse, FetchFailure } from './fetch-capped.js'

/** No place to log in, whatever the host or folder is called. */
const DOCUMENT = /\/\.well-known\/|\.(?:json|md|txt|xml)$/i
const LOGIN = /(?:^|\/)(?:log-?in|sign-?in|sso|oauth2?|saml|auth|authorize|session)(?:\/|\.|$)/i

/** Whether a request was redirected to where people log in, on the same origin or another. */
export function isSentToLogin(answer: CappedResponse | FetchFailure): boolean {
  const target =
    'failure' in answer ? ('location' in answer ? answer.location : undefined) : answer.redirects.at(-1)
  if (target === undefined) return false
  const { pathname } = new URL(target)
  return LOGIN.test(pathname) && !DOCUMENT.test(pathname)
}
