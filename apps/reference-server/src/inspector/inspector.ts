import { randomBytes } from 'node:crypto'
import type { RateStore } from '@doorplate/ahp-converse/server'
import type { SafeFetch } from '@doorplate/safe-fetch'
import { addressNetwork } from '../address-network.js'
import { createAttemptCounter, type Rate } from '../counted-attempts.js'
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

export interface InspectorOptions extends OwnSite {
  /** For the suites, where this server looks at itself. */
  readonly keys: OwnerKeys
  /** Inspections that one address may begin. Default: 20/hour. */
  readonly rate?: Rate | undefined
  /** Inspections at a time. Default: 3. */
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

interface Running {
  /** Who began it. */
  readonly network: string
  readonly controller: AbortController
  /** When it ends at the latest, milliseconds since the epoch. */
  readonly endsAt: number
  seen: Inspection
  over: Promise<void>
}

export function createInspector(options: InspectorOptions): Inspector {
  const { origin, keys, rate = DEFAULT_RATE, maxRunning = 3, store, now, log } = options
  const begun = createAttemptCounter({ what: 'Inspections', counts: options.counts, log })
  const running = new Map<string, Running>()

  async function start({ url: text, suites, address }: InspectionRequest): Promise<string> {
    const url = inspectedUrl(text, { origin })
    const network = addressNetwork(address)
    const place = reserve(url, { network, suites })
    const fetch = openFetch(url, options)
    try {
      await take(`inspect|from|${network}`, rate, 'rate_limited')
      await checkPlace(fetch, url)
      if (url.origin !== origin) await take(`inspect|site|${url.hostname}`, SITE_RATE, 'site_rate_limited')
      await store.set(place.seen)
    } catch (error) {
      running.delete(place.seen.id)
      await fetch.close()
      throw error
    }
    place.over = run(place, { fetch, suites })
    return place.seen.id
  }

  /** Counted before anything is waited for, or many at once would all find room. */
  function reserve(
    url: URL,
    { network, suites }: { readonly network: string; readonly suites: boolean },
  ): Running {
    const all = [...running.values()]
    const ofNetwork = all.filter((other) => other.network === network)
    if (all.length >= maxRunning) throw busy(all)
    // Some room is left to others.
    if (ofNetwork.length >= Math.max(1, maxRunning - 1)) throw busy(ofNetwork)
    const isOwnSite = url.origin === origin
    const seen: Inspection = {
      id: randomBytes(16).toString('hex'),
      url: url.href,
      isOwnSite,
      startedAt: new Date(now()).toISOString(),
      isOver: false,
      durationMs: 0,
      steps: { find: { state: 'waiting' }, read: { state: 'waiting' }, ask: { state: 'waiting' } },
      requests: [],
    }
    const endsAt = now() + inspectionDeadlineMs({ isOwnSite, suites })
    const place = { network, controller: new AbortController(), endsAt, seen, over: Promise.resolve() }
    running.set(seen.id, place)
    return place
  }

  /** Names the time at which there is room at the latest. */
  function busy(inTheWay: readonly Running[]): InspectionRefusal {
    const waitMs = Math.min(...inTheWay.map(({ endsAt }) => endsAt)) - now()
    const retryAfterSeconds = Math.max(1, Math.ceil(waitMs / 1000))
    return new InspectionRefusal('busy', 'Several sites are being inspected now.', { retryAfterSeconds })
  }

  async function run(
    place: Running,
    { fetch, suites }: { readonly fetch: SafeFetch; readonly suites: boolean },
  ): Promise<void> {
    const beganAt = now()
    const { id, url, isOwnSite } = place.seen
    try {
      // Agents and suites are large, and most of the time nobody inspects.
      const { inspect } = await import('./inspect.js')
      const deadlineMs = Math.max(1, place.endsAt - now())
      await inspect(url, {
        ...{ fetch, suites, now, deadlineMs, keys: isOwnSite ? keys : undefined },
        signal: AbortSignal.any([place.controller.signal, AbortSignal.timeout(deadlineMs)]),
        onProgress(steps, requests) {
          place.seen = { ...place.seen, steps, requests, durationMs: now() - beganAt }
        },
      })
    } catch (error) {
      log(`An inspection failed: ${String(error)}`)
    }
    place.seen = { ...place.seen, isOver: true, durationMs: now() - beganAt }
    await store.set(place.seen).catch((error: unknown) => {
      log(`An inspection could not be kept: ${String(error)}`)
    })
    running.delete(id)
    await fetch.close()
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
    find: async (id) => running.get(id)?.seen ?? store.get(id),
    async close() {
      for (const { controller } of running.values()) controller.abort()
      await Promise.all([...running.values()].map(({ over }) => over))
    },
  }
}
