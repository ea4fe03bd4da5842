import { compareServers } from '../src/compare-servers.js'
import { type Comparison, report } from '../src/report.js'
import { startServer } from '../src/server-process.js'
import { JOBS } from './jobs.js'

const ROUNDS = 3
const SERVER = new URL('server.ts', import.meta.url)
const LIMIT = 'ready buffer'
const LOAD = { connections: 10, requests: 5000, status: 200 }

const servers = [await startServer(SERVER, 'concierge'), await startServer(SERVER, LIMIT)]
const comparisons: Comparison[] = []
for (const [title, job] of Object.entries(JOBS))
  comparisons.push({
    title,
    measurements: await compareServers(servers, { ...job, ...LOAD }, ROUNDS),
    limit: LIMIT,
  })
for (const server of servers) server.stop()
await report('ahp-faces', comparisons)
