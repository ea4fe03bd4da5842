import type { AttemptFailure } from '../options/attempt-event.js'
import { displayUrl } from '../guard/check-url.js'
import { completeRequest } from './complete-request.js'
import { isSafeFetchError, SafeFetchError } from '../errors.js'
import { Hop } from './hop.js'
import type { HopContext, HopRequest } from './hop.js'
import { Lifetime } from '../lifetime/lifetime.js'
import type { Policy } from '../options/options.js'
import { followRedirect, isFinal } from './redirect.js'
import { retryDelay } from './retry-delay.js'
import { sleep } from '../lifetime/sleep.js'

/** A call as it starts: the URL is judged, the header fields are checked. */
export interface CallPlan {
  readonly request: HopRequest
  readonly redirect: 'follow' | 'error' | 'manual'
  readonly maxRedirects: number
}

/** The final response of a call, its body not yet read. */
export interface OpenResponse {
  readonly hop: Hop
  readonly url: URL
  readonly redirected: boolean
}

/**
 * Sends a request, follows its redirects and tries again as the policy has it, all within one lifetime. What `consume`
 * makes of the response belongs to the attempt: if it fails as a connection fails, that is tried again too.
 */
export function runAttempts<Result>(
  plan: CallPlan,
  context: HopContext,
  consume: Consume<Result>,
): Promise<Result> {
  const { maxAttempts, attemptTimeoutMs } = context.policy.retry
  return maxAttempts === 1 && attemptTimeoutMs === undefined
    ? followChain(plan, context, undefined, 1, consume)
    : tryAgain(plan, context, consume)
}

type Consume<Result> = (response: OpenResponse) => Result | Promise<Result>

async function tryAgain<Result>(
  plan: CallPlan,
  context: HopContext,
  consume: Consume<Result>,
): Promise<Result> {
  const { policy, lifetime } = context
  for (let attempt = 1; ; attempt++) {
    const outcome = await tryOnce(plan, context, attempt, consume)
    const delayMs = retryDelay(outcome, policy.retry, {
      method: plan.request.method,
      attempt,
      remainingMs: lifetime.remainingMs,
      now: policy.now,
      random: policy.random,
    })
    if (delayMs === null) {
      if ('hop' in outcome) return outcome.result
      throw outcome.error
    }
    if ('hop' in outcome) outcome.hop.discard()
    await sleep(delayMs, lifetime)
  }
}

async function tryOnce<Result>(
  plan: CallPlan,
  context: HopContext,
  attempt: number,
  consume: Consume<Result>,
): Promise<{ readonly hop: Hop; readonly result: Result } | { readonly error: unknown }> {
  const { attemptTimeoutMs } = context.policy.retry
  const headersLifetime =
    attemptTimeoutMs === undefined ? undefined : new Lifetime(attemptTimeoutMs, undefined, 'attempt_timeout')
  try {
    return await followChain(plan, context, headersLifetime, attempt, async (response) => ({
      hop: response.hop,
      result: await consume(response),
    }))
  } catch (error) {
    return { error }
  } finally {
    headersLifetime?.end()
  }
}

async function followChain<Result>(
  plan: CallPlan,
  context: HopContext,
  headersLifetime: Lifetime | undefined,
  attempt: number,
  consume: Consume<Result>,
): Promise<Result> {
  let leftOrigins = NONE
  let visited = NONE
  let request = plan.request
  for (let hopCount = 0; ; hopCount++) {
    const completed = completeRequest(request, leftOrigins, context.policy)
    const outgoing = completed instanceof Promise ? await completed : completed
    const hop = await send(outgoing, context, headersLifetime, attempt, hopCount)
    if (isFinal(hop, plan.redirect)) {
      return await consume({ hop, url: request.url, redirected: hopCount > 0 })
    }
    hop.discard()
    visited = new Set(visited).add(checkChain(request, plan, hopCount, visited))
    const next = followRedirect(request, hop, context.policy)
    if (next.url.origin !== request.url.origin) leftOrigins = new Set(leftOrigins).add(request.url.origin)
    request = next
  }
}

/** Most calls are no chain, and leave nothing. */
const NONE: ReadonlySet<string> = new Set()

/** Whether a chain may go on after this many redirects; returns what was asked, to be remembered. */
function checkChain(
  request: HopRequest,
  plan: CallPlan,
  followed: number,
  visited: ReadonlySet<string>,
): string {
  const url = displayUrl(request.url)
  if (plan.redirect === 'error') {
    throw new SafeFetchError('redirect_refused', 'The response is a redirect and none was wanted.', { url })
  }
  if (followed >= plan.maxRedirects) {
    const { maxRedirects } = plan
    throw new SafeFetchError('too_many_redirects', `More than ${maxRedirects} redirects.`, {
      url,
      maxRedirects,
    })
  }
  const key = `${request.method} ${url}`
  if (visited.has(key)) throw new SafeFetchError('redirect_loop', 'The redirects lead in a circle.', { url })
  return key
}

function send(
  request: HopRequest,
  context: HopContext,
  headersLifetime: Lifetime | undefined,
  attempt: number,
  hopCount: number,
): Promise<Hop> {
  const hop = new Hop(request, context, headersLifetime)
  const { onAttempt } = context.policy
  return onAttempt === undefined ? hop.send() : sendObserved(hop, request, onAttempt, attempt, hopCount)
}

async function sendObserved(
  hop: Hop,
  request: HopRequest,
  onAttempt: NonNullable<Policy['onAttempt']>,
  attempt: number,
  hopCount: number,
): Promise<Hop> {
  const startedAtMs = performance.now()
  const report = (outcome: { readonly status: number } | { readonly failure: AttemptFailure }): void => {
    const address = hop.remoteAddress
    onAttempt({
      attempt,
      hop: hopCount,
      method: request.method,
      url: displayUrl(request.url),
      ...outcome,
      ...(address === undefined ? {} : { address }),
      elapsedMs: performance.now() - startedAtMs,
    })
  }
  try {
    await hop.send()
  } catch (error) {
    report({ failure: isSafeFetchError(error) ? error.code : 'aborted' })
    throw error
  }
  report({ status: hop.status })
  return hop
}
