import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openFetch } from '../src/inspector/open-fetch.js'
import { OWN_REQUEST, ownRequestProof } from '../src/own-requests.js'
import { startReferenceServer, type ReferenceServer } from '../src/reference-server.js'
import { assetsFolder, createProject, testSettings, type Project } from './project.js'

let project: Project
let server: ReferenceServer

beforeAll(async () => {
  project = await createProject()
  const limits = { askLimit: '3/day', readLimit: '20/day' } as const
  server = await startReferenceServer(testSettings(join(project.root, 'data'), limits), {
    ...{ projectRoot: project.root, assetsFolder, now: Date.now, log: console.error },
  })
})

afterAll(async () => {
  await server.stop({ graceMs: 0 })
  await project.remove()
})

async function statusesOf(proof: string | undefined, times: number): Promise<number[]> {
  const headers = proof === undefined ? {} : { [OWN_REQUEST]: proof }
  const fetch = openFetch(new URL(server.origin), { origin: server.origin, headers })
  const statuses: number[] = []
  for (let asked = 0; asked < times; asked++) {
    const response = await fetch.request(`${server.origin}/agent/converse`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"capability":"contact","query":"Who?"}',
    })
    statuses.push(response.status)
  }
  await fetch.close()
  return statuses
}

it('what this server asks itself uses up nobody else’s limits', async () => {
  const proof = ownRequestProof(server.tokens)
  expect(await statusesOf(proof, 4)).toEqual([200, 200, 200, 429])
  expect(await statusesOf(undefined, 1)).toEqual([200])
  // Who cannot prove it is a visitor like others.
  expect(
    await statusesOf(
      proof.replace(/^./, (first) => (first === 'A' ? 'B' : 'A')),
      2,
    ),
  ).toEqual([200, 200])
  expect(await statusesOf('é'.repeat(proof.length), 1)).toEqual([429])
})

it('so an inspection of this server leaves visitors all that they may read', async () => {
  const body = new URLSearchParams({ url: server.origin })
  const { origin } = server
  const begun = await fetch(`${origin}/inspect`, {
    ...{ method: 'POST', headers: { origin }, body, redirect: 'manual' },
  })
  const location = begun.headers.get('location') ?? ''
  while (!(await (await fetch(origin + location)).text()).includes('Looked at in'))
    await new Promise((looked) => setTimeout(looked, 50))
  const { headers } = await fetch(`${origin}/.well-known/agent.json`)
  expect(headers.get('x-ratelimit-remaining')).toBe('19')
})
