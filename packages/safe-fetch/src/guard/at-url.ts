import { isSafeFetchError } from '../errors.js'
import { displayUrl } from './check-url.js'

/** Names the URL in an error of ours that was made where none is known, such as a time limit. Returns the reason. */
export function atUrl(reason: unknown, url: URL): unknown {
  if (isSafeFetchError(reason) && reason.url === undefined)
    Reflect.defineProperty(reason, 'url', { value: displayUrl(url), enumerable: true })
  return reason
}
