import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createCallbackTransport } from '@doorplate/ahp-converse/node'
import { type Concierge, defineConcierge } from '@doorplate/ahp-converse/server'
import { createSqliteJobStore } from '@doorplate/ahp-converse/sqlite'
import type { Outcome } from '@doorplate/ahp-converse'
import { startTlsServer } from '@internal/loopback'
import { type Figure, report } from '../src/report.js'

/** Jobs on the embedded store: 10,000 begun at the same time, and their results posted to a receiver on loopback. */

const JOBS = 10_000
const CALLBACKS = 5000
const VISITORS = 64
const SECRET = `whsec_${btoa('a secret of thirty-two characters')}`
const MEGABYTE = 1_048_576

const folder = mkdtempSync(join(tmpdir(), 'ahp-jobs-'))
const figures = [...(await concurrentJobs()), ...(await callbacks())]
rmSync(folder, { recursive: true })
await report('ahp-jobs', [], figures)

async function concurrentJobs(): Promise<Figure[]> {
  const waiting: ((outcome: Outcome) => void)[] = []
  const { concierge, ask, close } = openSite('jobs.db', {
    answer: () => new Promise((resolve) => waiting.push(resolve)),
  })
  const start = performance.now()
  await inParallel(JOBS, () => ask({}))
  const accepted = performance.now()
  globalThis.gc?.()
  const rss = process.memoryUsage().rss
  if (waiting.length !== JOBS) throw new Error(`Only ${waiting.length} jobs are under way.`)
  for (const answer of waiting) answer({ answer: 'Done.', output: {} })
  await concierge.close({ timeoutMs: 120_000 })
  const done = performance.now()
  const peak = process.resourceUsage().maxRSS * 1024
  close()
  return [
    {
      name: `jobs accepted a second, ${JOBS} under way in the end`,
      value: perSecond(JOBS, accepted - start),
      unit: '1/s',
    },
    { name: `memory with ${JOBS} jobs under way`, value: rss / MEGABYTE, unit: 'MB' },
    { name: `jobs ended a second`, value: perSecond(JOBS, done - accepted), unit: '1/s' },
    { name: 'peak memory', value: peak / MEGABYTE, unit: 'MB' },
  ]
}

async function callbacks(): Promise<Figure[]> {
  let received = 0
  let finish: (() => void) | undefined
  const receiver = await startTlsServer(['localhost'], (request, response) => {
    request.resume().on('end', () => {
      response.writeHead(204).end()
      if (++received === CALLBACKS) finish?.()
    })
  })
  const transport = createCallbackTransport({
    ca: receiver.ca,
    dangerouslyAllow: [`localhost:${receiver.port}`],
  })
  const { concierge, ask, close } = openSite('callbacks.db', {
    answer: () => ({ answer: 'Done.', output: {} }),
    // One receiver that has agreed to take them as fast as they come.
    callbacks: {
      transport,
      secrets: () => [SECRET],
      maxConcurrentPerReceiver: 32,
      maxPerReceiverPerMinute: 1_000_000,
    },
  })
  const over = new Promise<void>((resolve) => (finish = resolve))
  const start = performance.now()
  await inParallel(CALLBACKS, () => ask({ callback_url: `https://localhost:${receiver.port}/hook` }))
  await over
  const ms = performance.now() - start
  await concierge.close()
  await transport.close()
  await receiver.close()
  close()
  return [
    {
      name: 'callbacks a second, from the request to the receiver, both in this process',
      value: perSecond(CALLBACKS, ms),
      unit: '1/s',
    },
  ]
}

interface Site {
  readonly concierge: Concierge
  readonly ask: (context: object) => Promise<void>
  readonly close: () => void
}

type Parts = Pick<Parameters<typeof defineConcierge>[0], 'callbacks'> & {
  readonly answer: () => Outcome | Promise<Outcome>
}

function openSite(file: string, { answer, callbacks: posts }: Parts): Site {
  const store = createSqliteJobStore(join(folder, file))
  const concierge = defineConcierge({
    name: 'A busy site',
    publicUrl: 'https://site.example',
    contentSignals: { ai_train: false, ai_input: true, search: true, attribution_required: false },
    capabilities: {
      talk: { description: 'Talks.', mode: 'MODE2', answer: () => ({ answer: 'Hello.' }) },
      order: {
        description: 'Takes orders.',
        mode: 'MODE3',
        actionType: 'async',
        inputSchema: { type: 'object' },
        outputSchema: { type: 'object' },
        answer,
      },
    },
    verify: () => null,
    limits: { authenticated: { action: '100000000/minute' } },
    sessions: { maxSessions: 1000 },
    jobs: { store, maxConcurrent: JOBS, maxJobs: 2 * JOBS, maxOpenJobsPerOwner: JOBS },
    ...(posts === undefined ? {} : { callbacks: posts }),
  })
  const caller = { address: '192.0.2.1', principal: { id: 'customer' } }
  return {
    concierge,
    async ask(context) {
      const request = {
        ahp: '0.1',
        capability: 'order',
        query: 'One copy of Dune, please.',
        input: { isbn: '0441172717' },
        context,
      }
      const { body } = await concierge.converse({ request, caller })
      if (body.status !== 'accepted') throw new Error(JSON.stringify(body))
    },
    close: () => {
      store.close()
    },
  }
}

/** As many visitors as ask at once, each one question after the other. */
async function inParallel(count: number, run: () => Promise<void>): Promise<void> {
  let left = count
  async function visitor(): Promise<void> {
    while (left-- > 0) await run()
  }
  await Promise.all(Array.from({ length: VISITORS }, visitor))
}

function perSecond(count: number, ms: number): number {
  return (count / ms) * 1000
}
