import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { compareServers } from '../src/compare-servers.js'
import type { Load } from '../src/load.js'
import { type Comparison, report } from '../src/report.js'
import { startServer } from '../src/server-process.js'
import { startProgram } from './program.js'
import { measureStarts } from './starts.js'

/** The program that people start, against the packages that it is made of with nothing around them. */
const ROUNDS = 9
const RECORDS = 5000
const STARTS = 5
const ALONE = 'packages alone'
const question = {
  method: 'POST',
  path: '/agent/converse',
  headers: { 'content-type': 'application/json' },
  body: '{"capability":"contact","query":"Who is there?"}',
}
const JOBS: Readonly<Record<string, Omit<Load, 'port' | 'status' | 'connections' | 'requests'>>> = {
  'AADP: manifest': { path: '/.well-known/ai-manifest.json', headers: {} },
  'AADP: page of 50': { path: '/ai/v1.0/sitemaps/record.json', headers: {} },
  'AADP: entity': { path: '/ai/v1.0/entities/record/r0000001.json', headers: {} },
  'AHP: manifest': { path: '/.well-known/agent.json', headers: {} },
  'AHP: kept answer': question,
}
const LOAD = { connections: 16, requests: 10_000, status: 200 }

const folder = await mkdtemp(join(tmpdir(), 'bench-reference-'))
try {
  const starts = await measureStarts(folder, STARTS)
  const alone = await startServer(new URL('alone.ts', import.meta.url), ALONE, String(RECORDS))
  const program = await startProgram({ folder, records: RECORDS })
  const comparisons: Comparison[] = []
  for (const [title, job] of Object.entries(JOBS))
    comparisons.push({
      title,
      measurements: await compareServers([program, alone], { ...job, ...LOAD }, ROUNDS),
      limit: ALONE,
    })
  program.stop()
  alone.stop()
  await report('reference-server', comparisons, starts)
} finally {
  await rm(folder, { recursive: true })
}
