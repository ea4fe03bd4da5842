import { createSafeFetch, type SafeFetch } from '@doorplate/safe-fetch'
import { startServer, type LoopbackServer } from '@internal/loopback'
import { runConformance, type ConformanceReport, type RunConformanceOptions } from '../src/index.js'
import { TOKEN } from './good-concierge.js'
import { createGoodSite, type Fault, type GoodSiteOptions } from './good-site.js'

/** 2026-01-02T00:00:00Z. */
const START_MS = 1_767_312_000_000

/** Everything that somebody who knows the good site would tell. */
export const KNOWN: RunConformanceOptions = {
  credential: TOKEN,
  probes: {
    ambiguous: { capability: 'search', query: 'dune' },
    action: { capability: 'place_order', input: { isbn: '9780441172719' } },
    job: { capability: 'ask_person', query: 'Is Dune in stock?' },
    forbidden: { capability: 'orders', query: 'forbidden' },
    failing: { capability: 'search', query: 'fail' },
    unavailable: { capability: 'search', query: 'busy' },
  },
  sessionIdleMs: 600_000,
  rate: true,
}

export interface Checked {
  readonly report: ConformanceReport
  /** Waits of the run, in milliseconds. */
  readonly slept: readonly number[]
}

/** Runs the checks against a site that has one fault, or none. Only waiting moves the clock. */
export async function checkGoodSite(
  fault: Fault = {},
  options: RunConformanceOptions = KNOWN,
  more: Partial<GoodSiteOptions> = {},
): Promise<Checked> {
  let callbackPort = 0
  let timeMs = START_MS
  const now = (): number => timeMs
  const slept: number[] = []
  const server: LoopbackServer = await startServer(
    createGoodSite({ fault, now, callbackPort: () => callbackPort, ...more }),
  )
  const fetch: SafeFetch = createSafeFetch({ dangerouslyAllow: [server.host] })
  try {
    const report = await runConformance(server.origin, {
      fetch,
      now,
      sleep: async (delayMs) => {
        slept.push(delayMs)
        timeMs += delayMs
        // What waits for a message from outside waits in short steps.
        if (delayMs < 500) await new Promise((resolve) => setTimeout(resolve, 5))
      },
      callback: {
        url: (port) => {
          callbackPort = port
          return 'https://agent.test/answers'
        },
      },
      ...options,
    })
    return { report, slept }
  } finally {
    await fetch.close()
    await server.close()
  }
}
