/** A conformance run against 5,000 entities: the default one, and all entities beside a full walk of the client. */
import { fork } from 'node:child_process'
import { discoverAllEntities } from '@doorplate/aadp-client'
import { runConformance, type RunConformanceOptions } from '@doorplate/aadp-conformance'
import { createSafeFetch, type SafeFetch } from '@doorplate/safe-fetch'
import { measure } from '../src/measure.js'
import { report } from '../src/report.js'

const ENTITIES = 5_000

const server = fork(new URL('./serve-catalogue.ts', import.meta.url))
const origin = await new Promise<string>((resolve) => {
  server.once('message', (message) => {
    resolve(message as string)
  })
})
const fetch = createSafeFetch({ dangerouslyAllow: [new URL(origin).host] })
try {
  const requests = await requestsOf({})
  const defaultRun = await measure([
    { name: 'aadp-conformance', run: () => check({}) },
    { name: 'the same requests, nothing judged', run: () => replay(requests) },
  ])
  const full = await measure(
    [
      {
        name: 'aadp-conformance --entities all',
        run: () => check({ entities: 'all' }),
        operationsPerRun: ENTITIES,
      },
      { name: 'aadp-client, full walk', run: () => walk(), operationsPerRun: ENTITIES },
    ],
    { rounds: 7 },
  )
  await report(
    'aadp-conformance',
    [
      { title: 'Default run', measurements: defaultRun, limit: 'the same requests, nothing judged' },
      { title: 'All 5,000 entities, time for each', measurements: full, limit: 'aadp-client, full walk' },
    ],
    [{ name: 'requests of the default run', value: requests.length, unit: '' }],
  )
} finally {
  await fetch.close()
  server.kill()
}

async function check(options: RunConformanceOptions): Promise<void> {
  const { status, checks } = await runConformance(origin, { fetch, seed: 1, ...options })
  if (status === 'passed') return
  throw new Error(
    `The run did not pass: ${JSON.stringify(checks.filter((result) => result.status !== 'passed' && result.status !== 'skipped').map(({ id, message }) => [id, message]))}`,
  )
}

type Request = Parameters<SafeFetch['request']>

async function requestsOf(options: RunConformanceOptions): Promise<readonly Request[]> {
  const sent: Request[] = []
  const request: SafeFetch['request'] = (...one) => {
    sent.push(one)
    return fetch.request(...one)
  }
  await check({ ...options, fetch: Object.assign(fetch.bind(undefined), fetch, { request }) })
  return sent
}

async function replay(requests: readonly Request[]): Promise<void> {
  for (const request of requests) await fetch.request(...request)
}

async function walk(): Promise<void> {
  let count = 0
  for await (const entity of discoverAllEntities(origin, { fetch })) if (entity.id !== '') count++
  if (count !== ENTITIES) throw new Error(`The client found ${count} entities.`)
}
