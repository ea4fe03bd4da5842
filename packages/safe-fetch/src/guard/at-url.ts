import { isSafeFetchError } from '../errors.js'
import type { Lifetime } from '../lifetime/lifetime.js'
import { displayUrl } from './check-url.js'

/**
 * Names the URL in an error of ours that was made where none is known, such as a time limit. Returns the reason. What the caller
 * has aborted with stays as it is, even where it is an error of another call.
 */
export function atUrl(reason: unknown, url: URL, lifetime: Lifetime): unknown {
  if (isSafeFetchError(reason) && reason.url === undefined && !lifetime.isOfCaller(reason))
    Reflect.defineProperty(reason, 'url', { value: displayUrl(url), enumerable: true })
  return reason
}
