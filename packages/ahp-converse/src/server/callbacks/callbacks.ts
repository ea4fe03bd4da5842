import { ConverseError } from '../../converse-error.js'
import type { Principal } from '../../turn.js'
import { asFailureOf } from '../as-failure-of.js'
import type { HeldJob } from '../jobs/held-job.js'
import { pollBody } from '../jobs/poll-body.js'
import type { JobCallback, StoredJob } from '../jobs/stored-job.js'
import { invalidRequest, type Refusal } from '../refusal.js'
import type { RandomBytes } from '../sessions/session-id.js'
import { type CallbackSettings, readKeys } from './callback-options.js'
import { createReceiverGate } from './receiver-gate.js'

export interface Callbacks {
  readonly maxConcurrent: number
  /** Why results may not go there; undefined when they may. Rejects with a `StageFailure` when that cannot be told. */
  refuse(
    url: string,
    principal: Principal | undefined,
    signal: AbortSignal | undefined,
  ): Promise<Refusal | undefined>
  /** Makes one attempt to post the result of a job, and gives the job after it; or as it is, due later, when too many are posted. */
  readonly deliver: (held: HeldJob) => Promise<StoredJob>
}

/** Longer ones are no addresses. */
const MAX_URL_LENGTH = 2048
/** What a URL parser would drop or encode in silence. */
// eslint-disable-next-line no-control-regex -- control characters are what it is for
const UNSAFE = /[\u0000-\u0020\u007f\\]/

export interface CallbackParts {
  readonly now: () => number
  readonly random: RandomBytes
  /** Told of each attempt, with the job after it. */
  readonly onTried: (job: StoredJob) => void
  readonly onError: (error: unknown) => void
}

/**
 * Posts results by Standard Webhooks, at least once: each attempt has the same id and the same bytes, so that a receiver can
 * drop what it had already.
 */
export function createCallbacks(
  settings: CallbackSettings,
  { now, random, onTried, onError }: CallbackParts,
): Callbacks {
  const { transport, secrets, retryDelaysMs, maxConcurrent } = settings
  const fraction = createFractionSource(random)
  const gate = createReceiverGate({ ...settings, now, fraction })

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
      const admission = gate.enter([`host ${new URL(callback.url).hostname}`, held.job.owner])
      if ('retryAfterMs' in admission) return { ...held.job, dueAt: now() + admission.retryAfterMs }
      try {
        const after = await attempt(held, callback)
        onTried(after)
        return after
      } finally {
        admission.leave()
      }
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
      : { ...failed, queue, dueAt: now() + Math.round(delayMs * (1 + fraction() / 2)) }
  }
}

/** Numbers from 0 to 1. */
function createFractionSource(random: RandomBytes): () => number {
  const bytes = new Uint8Array(1)
  return () => {
    random(bytes)
    return (bytes[0] ?? 0) / 255
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
