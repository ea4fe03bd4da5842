import { ConverseError, invalidOption, isConverseError } from '../converse-error.js'
import { checkNames, checkSignal, functionOption, integerOption, MAX_TIMER_MS } from './check-option.js'
import type { ReadResponse } from './read-response.js'
import type { WaitOptions } from './reply.js'
import type { ResolvedOptions } from './visit-options.js'

/** Accepted work, and the two ways in which its result can come. */
export interface Job {
  readonly etaSeconds: number | undefined
  /** Whether it may have ended long ago, so that the first poll need not wait. */
  readonly isOld: boolean
  poll(signal: AbortSignal): Promise<ReadResponse>
  /** The result, once it is posted to the callback URL; undefined where none was given. */
  readonly delivered: ((signal: AbortSignal) => Promise<ReadResponse>) | undefined
}

export type Clock = Pick<ResolvedOptions, 'now' | 'random' | 'sleep' | 'timeoutMs'>

/** Unusable polls in a row that are put up with. */
const MAX_FAILURES = 3

/** Waits until the work has ended. Throws `wait_timeout`. */
export async function waitForJob(job: Job, options: WaitOptions, clock: Clock): Promise<ReadResponse> {
  const limits = resolveWaitOptions(options)
  const deadlineMs = clock.now() + limits.timeoutMs
  const done = new AbortController()
  const signal = options.signal ? AbortSignal.any([options.signal, done.signal]) : done.signal
  let { etaSeconds } = job
  let failures = 0
  try {
    const delivered = job.delivered?.(signal)
    // Where the result is polled, nobody is told that nothing was delivered.
    delivered?.catch(() => undefined)
    for (let polls = 0; polls < limits.maxPolls; polls++) {
      if (polls > 0 || !job.isOld) {
        const leftMs = deadlineMs - clock.now()
        if (leftMs <= 0) break
        const waiting = clock.sleep(Math.min(pollDelayMs(polls, etaSeconds, limits, clock), leftMs), signal)
        const early = await Promise.race(delivered ? [delivered, waiting] : [waiting])
        if (early) return early
      }
      const read = await attempt(job, signal, deadlineMs - clock.now() + clock.timeoutMs)
      if (read === undefined) break
      if (read instanceof ConverseError || (read.response.status === 'error' && read.httpStatus >= 500)) {
        if (++failures <= MAX_FAILURES) continue
        if (read instanceof ConverseError) throw read
        return read
      }
      failures = 0
      const { response } = read
      if (response.status !== 'pending' && response.status !== 'accepted') return read
      etaSeconds = response.eta_seconds ?? undefined
      const progress = response.status === 'pending' ? (response.progress ?? undefined) : undefined
      options.onPending?.({ progress, etaSeconds })
    }
  } finally {
    done.abort()
  }
  throw new ConverseError('wait_timeout', 'The work has not ended in the time allowed; it may go on.')
}

/** A poll, or the failure of one that may pass; undefined where the site has it tried again for longer than the limit. */
async function attempt(
  job: Job,
  signal: AbortSignal,
  limitMs: number,
): Promise<ReadResponse | ConverseError | undefined> {
  const isOver = AbortSignal.timeout(Math.ceil(Math.min(Math.max(limitMs, 1), MAX_TIMER_MS)))
  try {
    return await job.poll(AbortSignal.any([signal, isOver]))
  } catch (error) {
    if (isOver.aborted && !signal.aborted) return undefined
    if (isConverseError(error) && mayPass(error)) return error
    throw error
  }
}

function mayPass({ code, status = 0 }: ConverseError): boolean {
  return code === 'network_error' || code === 'timeout' || (code === 'http_status' && status >= 500)
}

/** Longer with every poll, and not long before the site expects to be ready. */
function pollDelayMs(
  polls: number,
  etaSeconds: number | undefined,
  limits: WaitLimits,
  clock: Clock,
): number {
  const backoffMs = limits.minPollMs * 1.5 ** Math.min(polls, 40)
  const delayMs = Math.min(Math.max(backoffMs, (etaSeconds ?? 0) * 1_000), limits.maxPollMs)
  return Math.ceil(Math.min(delayMs * (1 + clock.random() / 10), MAX_TIMER_MS))
}

type WaitLimits = Required<Pick<WaitOptions, 'timeoutMs' | 'minPollMs' | 'maxPollMs' | 'maxPolls'>>

const NAMES = [
  'timeoutMs',
  'minPollMs',
  'maxPollMs',
  'maxPolls',
  'onPending',
  'signal',
] satisfies readonly (keyof WaitOptions)[]

function resolveWaitOptions(options: WaitOptions): WaitLimits {
  checkNames(options, NAMES)
  checkSignal(options.signal)
  if (options.onPending) functionOption('onPending', options.onPending, options.onPending)
  const range = { minimum: 1, maximum: MAX_TIMER_MS }
  const minPollMs = integerOption('minPollMs', options.minPollMs, 1_000, range)
  const maxPollMs = integerOption('maxPollMs', options.maxPollMs, Math.max(30_000, minPollMs), range)
  if (maxPollMs < minPollMs) throw invalidOption('maxPollMs', 'must not be less than minPollMs')
  return {
    timeoutMs: integerOption('timeoutMs', options.timeoutMs, 600_000, range),
    minPollMs,
    maxPollMs,
    maxPolls: integerOption('maxPolls', options.maxPolls, 500, { minimum: 1 }),
  }
}
