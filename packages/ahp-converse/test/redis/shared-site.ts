import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, request as httpRequest } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ConverseResponse } from '@doorplate/ahp-manifest/messages'
import { listen } from '@internal/loopback'
import type { Fault } from '../../src/server.js'
import { type Seen, send } from '../bookshop.js'

/** Processes of one site behind one balancer. */
export interface SharedSite extends AsyncDisposable {
  /** What the processes reported. */
  readonly faults: readonly ReportedFault[]
  /** What was begun and done so far, in the order it came. */
  ledger(): readonly Entry[]
  /** Sends a request once. A process that is gone, or goes in the middle, looks like a 502. */
  ask(question: Question): Promise<Seen>
  /** Asks until there is an answer of the site, as an agent would; gives that of the end of a job. */
  askUntilAnswered(question: Question): Promise<Seen>
  /** Ends a process in the middle of an action. */
  kill(): Promise<void>
}

export interface ReportedFault {
  readonly fault: Fault
  readonly code?: string
  readonly text: string
}

/** Written by whoever acts: before it does anything, and when it has. */
export interface Entry {
  readonly step: 'begun' | 'done'
  readonly query: string
  readonly idempotencyKey: string
  /** Who does it. */
  readonly pid: number
}

export interface Question {
  readonly capability: 'talk' | 'order' | 'report' | 'parcel'
  readonly query: string
  readonly sessionId?: string | undefined
  readonly principal?: string
  /** Of a visitor without a principal. */
  readonly address?: string
}

const CONVERSE = '/agent/converse'

/** Starts `count` processes and sends every request to the next one of those that are left. */
export async function startSharedSite(redisPort: number, count: number): Promise<SharedSite> {
  const faults: ReportedFault[] = []
  const folder = mkdtempSync(join(tmpdir(), 'doorplate-site-'))
  const ledger = join(folder, 'ledger.ndjson')
  writeFileSync(ledger, '')
  const start = (): Promise<Process> => startProcess([String(redisPort), ledger], faults)
  const processes = await Promise.all(Array.from({ length: count }, start))
  let next = 0
  const balancer = await listen(
    createServer((request, response) => {
      const { port } = processes[next++ % processes.length] ?? {}
      const { method, url, headers } = request
      const onwards = httpRequest({ host: '127.0.0.1', port, method, path: url, headers, agent: false })
      onwards.on('response', (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers)
        answer.on('error', () => response.destroy()).pipe(response)
      })
      onwards.on('error', () => {
        if (response.headersSent) response.destroy()
        else response.writeHead(502).end()
      })
      request.pipe(onwards)
    }),
    'http',
  )

  async function request(visit: Parameters<typeof send>[1]): Promise<Seen> {
    const lost: Seen = { status: 502, headers: {}, text: '', json: undefined }
    return send(balancer.port, visit).catch(() => lost)
  }

  function ask({ capability, query, sessionId, principal, address }: Question): Promise<Seen> {
    return request({
      method: 'POST',
      path: CONVERSE,
      headers: {
        ...headersOf(principal, address),
        ...(capability === 'talk' ? {} : { 'idempotency-key': encodeURIComponent(query) }),
      },
      body: {
        ahp: '0.1',
        capability,
        query,
        session_id: sessionId,
        context: { requesting_agent: 'test/1', input: {} },
      },
    })
  }

  async function untilAnswered(step: () => Promise<Seen>): Promise<Seen> {
    for (;;) {
      const seen = await step()
      if (seen.status !== 502 && seen.status !== 503) return seen
      await sleep(50)
    }
  }

  function entries(): readonly Entry[] {
    // A line that is being written is read the next time.
    const lines = readFileSync(ledger, 'utf8').split('\n').slice(0, -1)
    return lines.map((line) => JSON.parse(line) as Entry)
  }

  function isActing(pid: number): boolean {
    const own = entries().filter((entry) => entry.pid === pid && !entry.query.startsWith('report'))
    const done = new Set(own.flatMap(({ step, query }) => (step === 'done' ? [query] : [])))
    return own.some(({ query }) => !done.has(query))
  }

  return {
    faults,
    ledger: entries,
    ask,
    async askUntilAnswered(question) {
      const first = await untilAnswered(() => ask(question))
      const accepted = first.json as ConverseResponse
      if (accepted.status !== 'accepted') return first
      for (;;) {
        const polled = await untilAnswered(() =>
          request({ path: accepted.poll, headers: headersOf(question.principal, question.address) }),
        )
        if ((polled.json as ConverseResponse).status !== 'pending') return polled
        await sleep(100)
      }
    },
    async kill() {
      while (!isActing(processes[0]?.pid ?? 0)) await sleep(5)
      const [killed] = processes.splice(0, 1)
      await killed?.end()
    },
    async [Symbol.asyncDispose]() {
      await balancer.close()
      await Promise.all(processes.map((one) => one.end()))
      rmSync(folder, { recursive: true })
    },
  }
}

function headersOf(principal?: string, address = '192.0.2.1'): Record<string, string> {
  return {
    'x-forwarded-for': address,
    ...(principal === undefined ? {} : { authorization: `Bearer ${principal}` }),
  }
}

interface Process {
  readonly pid: number
  readonly port: number
  end(): Promise<void>
}

async function startProcess(args: readonly string[], faults: ReportedFault[]): Promise<Process> {
  const child = fork(new URL('./site-process.js', import.meta.url), args, {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  const [first] = (await Promise.race([once(child, 'message'), once(child, 'exit')])) as readonly unknown[]
  child.on('message', (message) => faults.push(message as ReportedFault))
  return {
    pid: child.pid ?? 0,
    port: (first as { readonly port: number }).port,
    async end() {
      const gone = once(child, 'exit')
      child.kill('SIGKILL')
      await gone
    },
  }
}
