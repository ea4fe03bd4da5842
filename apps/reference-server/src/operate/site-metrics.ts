import type { Concierge, SiteEvent } from '@doorplate/ahp-converse/server'
import { collectDefaultMetrics, Counter, Gauge, Registry } from 'prom-client'
import { createDurations } from './durations.js'
import { createTotals } from './totals.js'

/** A request that was answered, or whose sender left. */
export interface Exchange {
  /** Which part of the site it was for: `read`, `converse`, `mcp`, `pages`, ... */
  readonly face: string
  readonly method: string
  /** Absent when the sender left before. */
  readonly status: number | undefined
  readonly durationMs: number
}

/** What there is to know of a running site, as numbers. Labels take few values: none is what a visitor made up. */
export interface SiteMetrics {
  readonly countExchange: (exchange: Exchange) => void
  /** Of what the concierge says of itself. Its requests are exchanges, which are counted with all others. */
  readonly countEvent: (event: SiteEvent) => void
  /** What is asked for as often as somebody looks. */
  follow(concierge: Pick<Concierge, 'counts'>): void
  /** In the text format of Prometheus. */
  text(): Promise<string>
  readonly contentType: string
}

export function createSiteMetrics(): SiteMetrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const requests = createTotals(registry, {
    name: 'doorplate_requests_total',
    help: 'Requests, by what they were for and how they were answered; 0 is a sender that left.',
    labelNames: ['face', 'method', 'status'],
  })
  const durations = createDurations(registry, {
    name: 'doorplate_request_duration_seconds',
    help: 'From the head of a request to the end of its answer.',
    labelName: 'face',
  })

  return {
    countExchange({ face, method, status = 0, durationMs }) {
      requests.add(face, method, String(status))
      durations(face).add(durationMs)
    },
    countEvent: createEventMetrics(registry),
    follow: (concierge) => {
      followCounts(concierge, { registers: [registry] })
    },
    text: () => registry.metrics(),
    contentType: registry.contentType,
  }
}

interface Registers {
  readonly registers: Registry[]
}

function createEventMetrics(registry: Registry): SiteMetrics['countEvent'] {
  const about: Registers = { registers: [registry] }
  const questions = createTotals(registry, {
    name: 'doorplate_questions_total',
    help: 'Questions, by capability and outcome, whichever way they came.',
    labelNames: ['capability', 'outcome', 'code', 'cached'],
  })
  const durations = createDurations(registry, {
    name: 'doorplate_question_duration_seconds',
    help: 'How long questions took to answer.',
    labelName: 'capability',
  })
  const jobs = new Counter({
    ...about,
    name: 'doorplate_job_events_total',
    help: 'What became of work that takes time.',
    labelNames: ['capability', 'state'],
  })
  const callbacks = new Counter({
    ...about,
    name: 'doorplate_callbacks_total',
    help: 'Attempts to post a result.',
    labelNames: ['outcome'],
  })
  const faults = new Counter({
    ...about,
    name: 'doorplate_faults_total',
    help: 'What went wrong here.',
    labelNames: ['stage'],
  })
  return (event) => {
    if (event.type === 'question') {
      const { capability = 'none', outcome, code = 'none', cached = false, durationMs } = event
      questions.add(capability, outcome, code, String(cached))
      durations(capability).add(durationMs)
    } else if (event.type === 'job') jobs.inc({ capability: event.capability, state: event.state })
    else if (event.type === 'callback') callbacks.inc({ outcome: event.outcome })
    else if (event.type === 'fault') faults.inc({ stage: event.stage })
  }
}

/** A store that is away has no numbers: the last ones would look like the present. */
function followCounts({ counts }: Pick<Concierge, 'counts'>, about: Registers): void {
  new Gauge({
    ...about,
    name: 'doorplate_jobs',
    help: 'Jobs that are kept.',
    labelNames: ['state'],
    async collect() {
      this.reset()
      const { jobs } = await counts().catch(() => ({ jobs: undefined }))
      if (jobs === undefined) return
      this.set({ state: 'open' }, jobs.open)
      this.set({ state: 'ended' }, jobs.ended)
    },
  })
  new Gauge({
    ...about,
    name: 'doorplate_sessions',
    help: 'Sessions that can go on.',
    async collect() {
      const { sessions = NaN } = await counts().catch(() => ({ sessions: undefined }))
      this.set(sessions)
    },
  })
}
