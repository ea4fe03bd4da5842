/**
 * Why nothing is inspected.
 *
 * - `no_url`, `too_long`, `no_such_url`, `scheme`, `credentials`, `port`: what was entered is no address of a site.
 * - `not_public`, `unknown_host`: it is one, of a place where this server does not go, or of no place.
 * - `rate_limited`, `site_rate_limited`, `busy`: later; `retryAfterSeconds` says when.
 */
export type RefusalCode =
  | 'no_url'
  | 'too_long'
  | 'no_such_url'
  | 'scheme'
  | 'credentials'
  | 'port'
  | 'not_public'
  | 'unknown_host'
  | 'rate_limited'
  | 'site_rate_limited'
  | 'busy'

/** The message is for the person who asked, and repeats nothing of what was entered. */
export class InspectionRefusal extends Error {
  override readonly name = 'InspectionRefusal'
  readonly code: RefusalCode
  readonly retryAfterSeconds: number | undefined

  constructor(code: RefusalCode, message: string, options: { readonly retryAfterSeconds?: number } = {}) {
    super(message)
    this.code = code
    this.retryAfterSeconds = options.retryAfterSeconds
  }
}
