import type { CappedResponse, FetchFailure } from './fetch-capped.js'

const LOGIN = /(?:^|\/)(?:log-?in|sign-?in|sso|oauth2?|saml|auth|authorize|session)(?:\/|\.|$)/i

/** Whether a request was redirected to where people log in, on the same origin or another. */
export function isSentToLogin(answer: CappedResponse | FetchFailure): boolean {
  const target =
    'failure' in answer ? ('location' in answer ? answer.location : undefined) : answer.redirects.at(-1)
  return target !== undefined && LOGIN.test(new URL(target).pathname)
}
