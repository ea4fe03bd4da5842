import { runConformance as runAadp, type ConformanceReport } from '@doorplate/aadp-conformance'
import { conformanceChecks as aadpChecks, type CheckResult } from '@doorplate/aadp-conformance'
import {
  conformanceChecks as ahpChecks,
  runConformance as runAhp,
  type Probes,
} from '@doorplate/ahp-conformance'
import { discover } from '@doorplate/agent-discovery'
import type { SafeFetch } from '@doorplate/safe-fetch'
import type { Failure } from './failure.js'
import type { Step, Steps } from './inspection.js'
import { readTree } from './read-tree.js'
import { createRecorder, type RecordedRequest, type Stage } from './recorded-request.js'
import { shakeHands } from './shake-hands.js'

/** What the suites may tell a site of its own owner's: header fields for AADP, a credential and probes for AHP. */
export interface OwnerKeys {
  readonly headers: Readonly<Record<string, string>>
  readonly credential: string
  readonly probes: Probes
}

export interface InspectOptions {
  readonly fetch: SafeFetch
  readonly suites: boolean
  /** Absent: the suites judge what strangers see. */
  readonly keys?: OwnerKeys | undefined
  readonly signal: AbortSignal
  /** When `signal` ends it: what is last is given less, so that it can still say what it saw. */
  readonly deadlineMs: number
  readonly now: () => number
  /** Told whenever something has changed. */
  readonly onProgress: (steps: Steps, requests: readonly RecordedRequest[]) => void
}

const FIND_LIMITS = { maxRequests: 60, maxTotalBytes: 8_388_608, deadlineMs: 20_000, maxPageBytes: 2_097_152 }
const SUITE_LIMITS = {
  timeoutMs: 8000,
  maxRequests: 800,
  maxTotalBytes: 33_554_432,
  maxResponseBytes: 2_097_152,
}
const AADP_LIMITS = { ...SUITE_LIMITS, deadlineMs: 60_000, entities: 10, maxPages: 60, concurrency: 4 }
/** Between the end of the last part and that of the inspection. */
const SPARE_MS = 5000
/** A site that limits questions makes the suite wait. */
const AHP_LIMITS = { ...SUITE_LIMITS, deadlineMs: 420_000, maxWaitMs: 65_000, jobTimeoutMs: 15_000 }

/** Looks at a site as an agent does, one part after the other. Whatever goes wrong is part of the result; rejects with nothing. */
export async function inspect(url: string, options: InspectOptions): Promise<void> {
  const { signal, suites, keys, now } = options
  const endsAt = now() + options.deadlineMs
  const recorder = createRecorder(options.fetch, options)
  let steps: Steps = {
    find: { state: 'waiting' },
    read: { state: 'waiting' },
    ask: { state: 'waiting' },
    ...(suites ? { aadp: { state: 'waiting' }, ahp: { state: 'waiting' } } : {}),
  }

  async function take<Result>(name: Stage, work: (fetch: SafeFetch) => Promise<Result>): Promise<void> {
    show(name, { state: 'running' })
    try {
      show(name, { state: 'done', result: await work(recorder.during(name)) })
    } catch (error) {
      show(name, { state: 'failed', failure: failureOf(error) })
    }
  }

  function show(name: Stage, step: Step<unknown>): void {
    steps = { ...steps, [name]: step }
    options.onProgress(steps, recorder.requests)
  }

  function counted(name: Stage, total: number): (result: CheckResult) => void {
    let settled = 0
    return () => {
      settled += 1
      show(name, { state: 'running', note: `${String(settled)} of ${String(total)} checks` })
    }
  }

  await take('find', (fetch) => discover(url, { fetch, signal, ...FIND_LIMITS }))
  await take('read', (fetch) => readTree(url, { fetch, signal }))
  await take('ask', (fetch) => shakeHands(url, { fetch, signal }))
  if (!suites) return
  await take('aadp', (fetch): Promise<ConformanceReport> => {
    const onCheck = counted('aadp', aadpChecks('1.0').length)
    return runAadp(url, { fetch, signal, onCheck, ...AADP_LIMITS, ...(keys && { headers: keys.headers }) })
  })
  await take('ahp', (fetch): Promise<ConformanceReport> => {
    const onCheck = counted('ahp', ahpChecks({ profile: 'full', rate: false }).length)
    const { credential, probes } = keys ?? {}
    const deadlineMs = Math.max(1, Math.min(AHP_LIMITS.deadlineMs, endsAt - now() - SPARE_MS))
    return runAhp(url, {
      ...{ fetch, signal, onCheck, ...AHP_LIMITS, deadlineMs },
      ...(credential === undefined ? {} : { credential }),
      ...(probes === undefined ? {} : { probes }),
    })
  })
}

/** Errors of the packages have a code and a message that holds no secret; of others nothing is shown. */
function failureOf(error: unknown): Failure {
  const { name, code, message } = Object(error) as Readonly<Record<string, unknown>>
  if (name === 'TimeoutError' || name === 'AbortError')
    return { code: 'aborted', message: 'The inspection was ended before this was done.' }
  if (typeof code === 'string' && typeof message === 'string') return { code, message: message.slice(0, 500) }
  return { code: 'internal_error', message: 'This part of the inspection failed.' }
}
