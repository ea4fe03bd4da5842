import { afterQuestion, finding, type AgentCheck } from './agent-check.js'
import { questionsOf } from './station.js'
import { REFUSALS, RETRY_AFTER_SECONDS } from './stations.js'

/** How an agent takes it that it has to wait. */
export const patienceChecks: readonly AgentCheck[] = [
  afterQuestion('limited', {
    id: 'limits.retry_after',
    title: 'Nothing is asked before the time that Retry-After names',
    numbers: ['R-106', 'R-107'],
    hint: 'Wait as many seconds as Retry-After says before any further request to the site.',
    judge: ({ requests }) => {
      const refused = requests.findIndex(({ method }) => method === 'POST')
      const next = requests[refused + 1]
      const waitedMs = (next?.atMs ?? Number.POSITIVE_INFINITY) - (requests[refused]?.atMs ?? 0)
      if (refused < 0 || waitedMs >= RETRY_AFTER_SECONDS * 1_000 - CLOCK_TOLERANCE_MS) return []
      return [
        finding(
          'R-107',
          `The agent is back after ${Math.round(waitedMs)} ms, and Retry-After was ${RETRY_AFTER_SECONDS}.`,
        ),
      ]
    },
  }),
  afterQuestion('limited', {
    id: 'limits.passing',
    title: 'A refusal because of a limit is not the end',
    numbers: ['R-109'],
    hint: 'Ask again when the time is over.',
    judge: (visit) =>
      questionsOf(visit).length > 1 ? [] : [finding('R-109', 'The agent gives up after one status 429.')],
  }),
  afterQuestion('busy', {
    id: 'limits.backoff',
    title: 'The agent waits longer after each refusal',
    numbers: ['R-108'],
    hint: 'Double the wait after each 429 without Retry-After, and vary it at random.',
    judge: (visit) => {
      const times = questionsOf(visit).map(({ atMs }) => atMs)
      const waits = times.slice(1, REFUSALS + 1).map((time, index) => time - (times[index] ?? 0))
      const [first = 0] = waits
      const last = waits.at(-1) ?? 0
      if (waits.length < 2) return [finding('R-108', 'The agent gives up after one refusal or two.')]
      if (last > first) return []
      return [
        finding(
          'R-108',
          `After ${waits.length} refusals the agent waits ${Math.round(last)} ms, and ${Math.round(first)} ms after the first.`,
        ),
      ]
    },
  }),
]

/** Timers may fire a little early. */
const CLOCK_TOLERANCE_MS = 20
