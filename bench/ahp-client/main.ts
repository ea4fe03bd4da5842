import { fork } from 'node:child_process'
import { once } from 'node:events'
import { visit } from '@doorplate/ahp-converse/client'
import { createSafeFetch } from '@doorplate/safe-fetch'
import { Pool } from 'undici'
import { measure } from '../src/measure.js'
import { report, type Comparison, type Figure } from '../src/report.js'

/** What a question costs over the bare exchange of the same bytes, one at a time and eight at once. */

const site = fork(new URL('./static-concierge.ts', import.meta.url), { execArgv: ['--import', 'tsx'] })
const [origin] = (await once(site, 'message')) as [string]
const fetch = createSafeFetch({ dangerouslyAllow: [new URL(origin).host] })
const visited = await visit(origin, { fetch })
const comparisons: Comparison[] = []
const figures: Figure[] = []
for (const atOnce of [1, 8]) {
  const pool = new Pool(origin, { connections: atOnce })
  const measurements = await measure(
    [
      { name: 'undici request', operationsPerRun: atOnce, run: () => times(atOnce, () => askBarely(pool)) },
      { name: 'safe-fetch request', operationsPerRun: atOnce, run: () => times(atOnce, askGuarded) },
      { name: 'site.ask', operationsPerRun: atOnce, run: () => times(atOnce, ask) },
    ],
    { rounds: 11, warmUpMs: 1_500 },
  )
  await pool.close()
  comparisons.push({
    title: `Time per question, ${String(atOnce)} at once`,
    measurements,
    limit: 'undici request',
  })
  const [bare, , asked] = measurements
  const overheadMs = ((asked?.wallUs.median ?? NaN) - (bare?.wallUs.median ?? NaN)) / 1_000
  figures.push({
    name: `overhead of a question, ${String(atOnce)} at once`,
    value: overheadMs * 1_000,
    unit: 'us',
  })
}
await fetch.close()
const gone = once(site, 'exit')
site.kill()
await gone
await report('ahp-client', comparisons, figures)

function times(count: number, work: () => Promise<void>): Promise<unknown> {
  return count === 1 ? work() : Promise.all(Array.from({ length: count }, work))
}

function question(): string {
  const context = { requesting_agent: 'doorplate-ahp' }
  return JSON.stringify({
    ahp: '0.1',
    capability: 'search',
    query: 'Which reviews mention sandworms?',
    context,
  })
}

async function askBarely(pool: Pool): Promise<void> {
  const headers = { 'content-type': 'application/json' }
  const { body } = await pool.request({ method: 'POST', path: '/agent/converse', headers, body: question() })
  requireSuccess(await body.json())
}

async function askGuarded(): Promise<void> {
  const headers = { 'content-type': 'application/json' }
  const { body } = await fetch.request(`${origin}/agent/converse`, {
    method: 'POST',
    headers,
    body: question(),
  })
  requireSuccess(JSON.parse(new TextDecoder().decode(body)))
}

async function ask(): Promise<void> {
  requireSuccess(await visited.ask('search', 'Which reviews mention sandworms?'))
}

function requireSuccess(answer: unknown): void {
  if ((answer as { readonly status?: unknown }).status !== 'success') throw new Error('No answer.')
}
