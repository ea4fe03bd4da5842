import type { Concierge, LogFields } from '@doorplate/ahp-converse/server'
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'

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
  /** Of what the concierge says: a `question`, `job`, `callback` or `fault`, with its fields. */
  readonly countEvent: (type: string, fields: LogFields) => void
  /** What is asked for as often as somebody looks. */
  follow(concierge: Pick<Concierge, 'counts'>): void
  /** In the text format of Prometheus. */
  text(): Promise<string>
  readonly contentType: string
}

const SECONDS = [0.001, 0.005, 0.02, 0.1, 0.5, 2, 10]

export function createSiteMetrics(): SiteMetrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const about = { registers: [registry] }
  const requests = new Counter({
    ...about,
    name: 'doorplate_requests_total',
    help: 'Requests, by what they were for and how they were answered; 0 is a sender that left.',
    labelNames: ['face', 'method', 'status'],
  })
  const durations = new Histogram({
    ...about,
    name: 'doorplate_request_duration_seconds',
    help: 'From the head of a request to the end of its answer.',
    labelNames: ['face'],
    buckets: SECONDS,
  })
  const countEvent = createEventMetrics(about)

  const known = seriesByKey((face: string, method: string, status: string) => ({
    count: requests.labels(face, method, status),
    time: durations.labels(face),
  }))
  return {
    countExchange({ face, method, status = 0, durationMs }) {
      const { count, time } = known(face, method, String(status))
      count.inc()
      time.observe(durationMs / 1000)
    },
    countEvent,
    follow: (concierge) => {
      followCounts(concierge, about)
    },
    text: () => registry.metrics(),
    contentType: registry.contentType,
  }
}

/** To find a series by its labels costs more than to add to it: each is found once. */
function seriesByKey<Labels extends readonly string[], Series>(
  find: (...labels: Labels) => Series,
): (...labels: Labels) => Series {
  const found = new Map<string, Series>()
  return (...labels) => {
    const key = labels.join(' ')
    let series = found.get(key)
    if (series === undefined) {
      series = find(...labels)
      found.set(key, series)
    }
    return series
  }
}

interface Registers {
  readonly registers: Registry[]
}

function createEventMetrics(about: Registers): SiteMetrics['countEvent'] {
  const questions = new Counter({
    ...about,
    name: 'doorplate_questions_total',
    help: 'Questions, by capability and outcome, whichever way they came.',
    labelNames: ['capability', 'outcome', 'code', 'cached'],
  })
  const durations = new Histogram({
    ...about,
    name: 'doorplate_question_duration_seconds',
    help: 'How long questions took to answer.',
    labelNames: ['capability'],
    buckets: SECONDS,
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
  const known = seriesByKey((capability: string, outcome: string, code: string, cached: string) => ({
    count: questions.labels(capability, outcome, code, cached),
    time: durations.labels(capability),
  }))
  return (type, fields) => {
    if (type === 'question') {
      const { capability, outcome, code, cached, durationMs } = fields
      const { count, time } = known(label(capability), label(outcome), label(code), String(cached === true))
      count.inc()
      time.observe(Number(durationMs) / 1000)
    } else if (type === 'job')
      jobs.inc({ capability: label(fields['capability']), state: label(fields['state']) })
    else if (type === 'callback') callbacks.inc({ outcome: label(fields['outcome']) })
    else if (type === 'fault') faults.inc({ stage: label(fields['stage']) })
  }
}

function label(value: unknown): string {
  return typeof value === 'string' ? value : 'none'
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
