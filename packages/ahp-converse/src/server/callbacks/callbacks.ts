import { ConverseError } from '../../converse-error.js'
import type { Principal } from '../../turn.js'
import { asFailureOf } from '../as-failure-of.js'
import type { HeldJob } from '../jobs/held-job.js'
import { pollBody } from '../jobs/poll-body.js'
import type { JobCallback, StoredJob } from '../jobs/stored-job.js'
import { invalidRequest, type Refusal } from '../refusal.js'
import { type CallbackSettings, readKeys } from './callback-options.js'

export interface Callbacks {
  readonly maxConcurrent: number
  /** Why results may not go there; undefined when they may. Rejects with a `StageFailure` when that cannot be told. */
  refuse(
    url: string,
    principal: Principal | undefined,
    signal: AbortSignal | undefined,
  ): Promise<Refusal | undefined>
  /** Makes one attempt to post the result of a job, and gives the job after it. */
  readonly deliver: (held: HeldJob) => Promise<StoredJob>
}

/** Longer ones are no addresses. */
const MAX_URL_LENGTH = 2048
/** What a URL parser would drop or encode in silence. */
// eslint-disable-next-line no-control-regex -- control characters are what it is for
const UNSAFE = /[\u0000-\u0020\u007f\\]/

export interface CallbackParts {
  readonly now: () => number
  /** Told of each attempt, with the job after it. */
  readonly onTried: (job: StoredJob) => void
  readonly onError: (error: unknown) => void
}

/**
 * Posts results by Standard Webhooks, at least once: each attempt has the same id and the same bytes, so that a receiver can
 * drop what it had already.
 */
export function createCallbacks(
  { transport, secrets, retryDelaysMs, maxConcurrent }: CallbackSettings,
  { now, onTried, onError }: CallbackParts,
): Callbacks {
  async function post({ job, signal }: HeldJob): Promise<boolean> {
    const { callback, turn } = job
    if (callback === undefined || turn.principal === undefined) return false
    const body = JSON.stringify(pollBody(job, now()))
    const id = `msg_${job.id}`
    const time = new Date(now())
    const keys = readKeys(await secrets(turn.principal))
    if (keys.length === 0) throw new ConverseError('callback_failed', 'The principal has no secret any more.')
    const { status } = await transport.post(callback.url, {
      headers: {
        'content-type': 'application/json',
        'webhook-id': id,
        'webhook-timestamp': String(Math.floor(time.getTime() / 1000)),
        'webhook-signature': keys.map((key) => key.sign(id, time, body)).join(' '),
        'webhook-attempt': String(callback.attempts + 1),
      },
      body,
      signal,
    })
    if (status >= 200 && status <= 299) return true
    throw new ConverseError('callback_failed', `The receiver of a callback answered ${status}.`, { status })
  }

  return {
    maxConcurrent,
    async refuse(url, principal, signal) {
      if (principal === undefined) return refused('is for callers with a credential')
      if (!isSafeUrl(url)) return refused('must be an https URL without user name and password')
      const keys = readKeys(await asFailureOf('callback', () => secrets(principal)))
      if (keys.length === 0) return refused('needs a secret agreed with the site, and there is none')
      const isAllowed = await asFailureOf('callback', () => transport.allows(url, { signal }))
      return isAllowed ? undefined : refused('is not a public address')
    },
    async deliver(held) {
      const { callback } = held.job
      if (callback === undefined) return held.job
      const after = await attempt(held, callback)
      onTried(after)
      return after
    },
  }

  async function attempt(held: HeldJob, callback: JobCallback): Promise<StoredJob> {
    const attempts = callback.attempts + 1
    const { queue, ...job } = held.job
    try {
      if (await post(held)) return { ...job, callback: { ...callback, attempts, deliveredAt: now() } }
    } catch (error) {
      onError(error)
    }
    const delayMs = retryDelaysMs[callback.attempts]
    const failed = { ...job, callback: { ...callback, attempts } }
    return delayMs === undefined || queue === undefined
      ? failed
      : { ...failed, queue, dueAt: now() + delayMs }
  }
}

function refused(rule: string): Refusal {
  return invalidRequest(`context.callback_url ${rule}.`)
}

function isSafeUrl(url: string): boolean {
  if (url.length > MAX_URL_LENGTH || UNSAFE.test(url) || !URL.canParse(url)) return false
  const { protocol, username, password } = new URL(url)
  return protocol === 'https:' && username === '' && password === ''
}
