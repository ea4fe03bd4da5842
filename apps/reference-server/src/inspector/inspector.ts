import { randomBytes } from 'node:crypto'
import type { RateStore } from '@doorplate/ahp-converse/server'
import type { SafeFetch } from '@doorplate/safe-fetch'
import { addressNetwork } from '../address-network.js'
import { createAttemptCounter, type Rate } from '../counted-attempts.js'
import { createFairQueue, type Turn } from './fair-queue.js'
import type { OwnerKeys } from './inspect.js'
import { inspectionDeadlineMs } from './inspection-deadline.js'
import { inspectedUrl } from './inspected-url.js'
import type { Inspection } from './inspection.js'
import type { InspectionStore } from './inspection-store.js'
import { checkPlace, openFetch, type OwnSite } from './open-fetch.js'
import { InspectionRefusal, type RefusalCode } from './refusal.js'

/** Looks at sites for people, within limits. */
export interface Inspector {
  /** Begins, and gives the id of what will be seen. Rejects with `InspectionRefusal`. */
  start(request: InspectionRequest): Promise<string>
  /** As far as it has come. */
  find(id: string): Promise<Inspection | undefined>
  /** Ends what is under way. */
  close(): Promise<void>
}

export interface InspectionRequest {
  /** As it was typed. */
  readonly url: string
  /** Run both conformance suites as well. */
  readonly suites: boolean
  /** Of the person who asks. */
  readonly address: string
}

export interface InspectorOptions extends Pick<OwnSite, 'origin' | 'headers'> {
  /** Of this server, in PEM, where it speaks https itself. */
  readonly certificate?: () => string | undefined
  /** For the suites, where this server looks at itself. */
  readonly keys: OwnerKeys
  /** Inspections that one address may begin. Default: 20/hour. */
  readonly rate?: Rate | undefined
  /** Inspections at a time, each for another address. Default: 3. */
  readonly maxRunning?: number
  /** Where beginnings are counted. Default: in this process. */
  readonly counts?: RateStore | undefined
  readonly store: InspectionStore
  readonly now: () => number
  /** Takes one line about a fault of this server. */
  readonly log: (line: string) => void
}

const DEFAULT_RATE = '20/hour'
/** Of one site, whoever asks: nobody's server is to be bothered through this one. */
const SITE_RATE = '20/hour'

/** What waits for its turn besides those that run. */
const MAX_WAITING = 30
const MAX_WAITING_OF_ADDRESS = 3

interface Active {
  /** Who began it. */
  readonly network: string
  readonly turn: Turn
  readonly suites: boolean
  readonly controller: AbortController
  /** When it ends at the latest, milliseconds since the epoch; absent until it begins. */
  endsAt?: number
  seen: Inspection
  over: Promise<void>
}

export function createInspector(options: InspectorOptions): Inspector {
  const { origin, keys, rate = DEFAULT_RATE, maxRunning = 3, store, now, log } = options
  const begun = createAttemptCounter({ what: 'Inspections', counts: options.counts, log })
  const queue = createFairQueue({
    maxRunning,
    maxWaiting: MAX_WAITING,
    maxWaitingOfOwner: MAX_WAITING_OF_ADDRESS,
  })
  const active = new Map<string, Active>()

  async function start({ url: text, suites, address }: InspectionRequest): Promise<string> {
    const url = inspectedUrl(text, { origin })
    const network = addressNetwork(address)
    const inspection = reserve(url, { network, suites })
    try {
      const fetch = await admit(url, inspection)
      inspection.over = inspection.turn.start(() => run(inspection, fetch))
      return inspection.seen.id
    } catch (error) {
      active.delete(inspection.seen.id)
      inspection.turn.leave()
      throw error
    }
  }

  /** What the site is asked with, where that is allowed. */
  async function admit(url: URL, { network, seen }: Active): Promise<SafeFetch> {
    const fetch = openFetch(url, { origin, headers: options.headers, cert: options.certificate?.() })
    try {
      await take(`inspect|from|${network}`, rate, 'rate_limited')
      await checkPlace(fetch, url)
      if (url.origin !== origin) await take(`inspect|site|${url.hostname}`, SITE_RATE, 'site_rate_limited')
      await store.set(seen)
      return fetch
    } catch (error) {
      await fetch.close()
      throw error
    }
  }

  /** Counted before anything is waited for, or many at once would all find room. */
  function reserve(
    url: URL,
    { network, suites }: { readonly network: string; readonly suites: boolean },
  ): Active {
    const turn = queue.enter({ owner: network, isLong: suites })
    if (turn === undefined) throw busy(network)
    const seen: Inspection = {
      id: randomBytes(16).toString('hex'),
      url: url.href,
      isOwnSite: url.origin === origin,
      startedAt: new Date(now()).toISOString(),
      isOver: false,
      durationMs: 0,
      steps: { find: { state: 'waiting' }, read: { state: 'waiting' }, ask: { state: 'waiting' } },
      requests: [],
    }
    const inspection = {
      ...{ network, turn, suites, seen },
      controller: new AbortController(),
      over: Promise.resolve(),
    }
    active.set(seen.id, inspection)
    return inspection
  }

  /** Names the time at which the line has moved at the latest. */
  function busy(network: string): InspectionRefusal {
    const all = [...active.values()]
    const own = all.filter((other) => other.network === network)
    const isOwn = own.length > MAX_WAITING_OF_ADDRESS
    const inTheWay = isOwn && own.some(({ endsAt }) => endsAt !== undefined) ? own : all
    const waitMs = Math.min(...inTheWay.flatMap(({ endsAt }) => endsAt ?? [])) - now()
    const retryAfterSeconds = Number.isFinite(waitMs) ? Math.max(1, Math.ceil(waitMs / 1000)) : 1
    const message = isOwn
      ? 'As many inspections as may wait for you already do.'
      : 'Too many inspections are waiting for their turn now.'
    return new InspectionRefusal('busy', message, { retryAfterSeconds })
  }

  async function run(inspection: Active, fetch: SafeFetch): Promise<void> {
    const beganAt = now()
    const { suites, seen, controller } = inspection
    const { id, url, isOwnSite } = seen
    const deadlineMs = inspectionDeadlineMs({ isOwnSite, suites })
    inspection.endsAt = beganAt + deadlineMs
    try {
      // Agents and suites are large, and most of the time nobody inspects.
      const { inspect } = await import('./inspect.js')
      await inspect(url, {
        ...{ fetch, suites, now, deadlineMs, keys: isOwnSite ? keys : undefined },
        signal: AbortSignal.any([controller.signal, AbortSignal.timeout(deadlineMs)]),
        onProgress(steps, requests) {
          inspection.seen = { ...inspection.seen, steps, requests, durationMs: now() - beganAt }
        },
      })
    } catch (error) {
      log(`An inspection failed: ${String(error)}`)
    }
    inspection.seen = { ...inspection.seen, isOver: true, durationMs: now() - beganAt }
    await store.set(inspection.seen).catch((error: unknown) => {
      log(`An inspection could not be kept: ${String(error)}`)
    })
    active.delete(id)
    await fetch.close()
  }

  function seenOf({ seen, turn }: Active): Inspection {
    const place = turn.place()
    return place === 0 ? seen : { ...seen, place }
  }

  async function take(key: string, allowed: Rate, code: RefusalCode): Promise<void> {
    const { areTooMany, retryAfterSeconds } = await begun.add(key, allowed)
    if (!areTooMany) return
    const enough = code === 'rate_limited' ? 'You have had' : 'This site has had'
    throw new InspectionRefusal(code, `${enough} enough inspections for now: at most ${allowed}.`, {
      retryAfterSeconds,
    })
  }

  return {
    start,
    async find(id) {
      const inspection = active.get(id)
      return inspection === undefined ? store.get(id) : seenOf(inspection)
    },
    async close() {
      for (const { controller } of active.values()) controller.abort()
      queue.open()
      await Promise.all([...active.values()].map(({ over }) => over))
    },
  }
}
