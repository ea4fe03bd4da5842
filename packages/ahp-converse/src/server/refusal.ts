import { ERROR_STATUS, type ErrorResponse } from '@doorplate/ahp-manifest/messages'
import type { RateRefusal } from './limits/rate-limits.js'
import type { SessionRefusal } from './sessions/session-refusal.js'

type Headers = Readonly<Record<string, string>>

/** A request that is not answered, in the form the visitor is told. A value, not an exception: visitors cause it at will. */
export class Refusal {
  readonly status: number
  readonly body: ErrorResponse
  readonly headers: Headers

  constructor(
    body: Omit<ErrorResponse, 'status'>,
    { status = ERROR_STATUS[body.code], headers = {} }: { status?: number; headers?: Headers } = {},
  ) {
    this.status = status
    // Frozen: some refusals are made once, for everybody in this process.
    this.body = Object.freeze({ status: 'error', ...body })
    this.headers = headers
  }

  /** The same with more fields. */
  with(headers: Headers): Refusal {
    return new Refusal(this.body, { status: this.status, headers: { ...headers, ...this.headers } })
  }
}

export function invalidRequest(
  message: string,
  { status = 400, headers = {} }: { status?: number; headers?: Headers } = {},
): Refusal {
  return new Refusal({ code: 'invalid_request', message }, { status, headers })
}

/** 503; the visitor may come back after a second. */
export function unavailable(message: string, headers: Headers = {}): Refusal {
  return new Refusal(
    { code: 'unavailable', message, retry_after: 1 },
    { headers: { ...headers, 'retry-after': '1' } },
  )
}

export function rateLimited({ headers, scope, retryAfterSeconds }: RateRefusal): Refusal {
  const message = `Too many requests. Come back in ${retryAfterSeconds} s.`
  return new Refusal(
    {
      code: 'rate_limited',
      message,
      retry_after: retryAfterSeconds,
      ...(scope === undefined ? {} : { scope }),
    },
    { headers },
  )
}

export function sessionRefusal(refusal: SessionRefusal): Refusal {
  switch (refusal) {
    case 'unknown_session':
      return invalidRequest('session_id: there is no such session, or it has ended. Begin a new one.')
    case 'turn_limit':
      return spent('session', 'The session has had all its turns. Begin a new one.')
    case 'token_budget':
      return spent('session_tokens', 'The session has used its tokens. Begin a new one.')
    case 'conflict':
      return unavailable('Another turn of this session is being taken. Send this one again.')
  }
}

/** HTTP wants a `Retry-After`; that only a new session helps is what `retry_after` null says. */
function spent(scope: 'session' | 'session_tokens', message: string): Refusal {
  return new Refusal(
    { code: 'rate_limited', message, scope, retry_after: null },
    { headers: { 'retry-after': '1' } },
  )
}
