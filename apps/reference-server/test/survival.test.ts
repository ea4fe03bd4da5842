import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { hasRedis, startRedis } from '@internal/loopback'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createPrograms, outcome, untilReady, type Programs } from './program.js'

let folder: string
let programs: Programs

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'survival-'))
  programs = createPrograms(folder)
})

afterEach(async () => {
  programs.end()
  await rm(folder, { recursive: true, force: true })
})

interface Answer {
  readonly httpStatus: number
  readonly status: string
  readonly code?: string
  readonly poll?: string
  readonly response?: { readonly answer: string }
}

/** Somebody who asks, and the person at the desk. */
interface People {
  readonly ask: (
    capability: string,
    query: string,
    headers?: Readonly<Record<string, string>>,
  ) => Promise<Answer>
  readonly poll: (path: string) => Promise<Answer>
  /** The questions that wait at the desk. */
  readonly tickets: () => Promise<readonly string[]>
  /** Gives the status. */
  readonly submit: (path: string, form: Readonly<Record<string, string>>) => Promise<number>
}

async function peopleAt(origin: string, dataFolder: string = join(folder, 'data')): Promise<People> {
  const file = await readFile(join(dataFolder, 'tokens.json'), 'utf8')
  const { customer, operator } = JSON.parse(file) as Record<'customer' | 'operator', string>
  const asCustomer = { authorization: `Bearer ${customer}`, 'content-type': 'application/json' }
  const asOperator = { authorization: `Basic ${btoa(`ann:${operator}`)}` }

  async function json(path: string, init: RequestInit = {}): Promise<Answer> {
    const response = await fetch(new URL(path, origin), { headers: asCustomer, ...init })
    return { httpStatus: response.status, ...((await response.json()) as Omit<Answer, 'httpStatus'>) }
  }

  return {
    ask: (capability, query, headers = {}) =>
      json('/agent/converse', {
        method: 'POST',
        headers: { ...asCustomer, ...headers },
        body: JSON.stringify({ capability, query }),
      }),
    // A path of the site, whichever port this start of it has.
    poll: (path) => json(new URL(path, origin).pathname),
    async tickets() {
      const page = await (await fetch(new URL('/desk', origin), { headers: asOperator })).text()
      return [...new Set(page.match(/\/desk\/tickets\/[0-9a-f]{32}/g))]
    },
    async submit(path, form) {
      const response = await fetch(new URL(path, origin), {
        method: 'POST',
        redirect: 'manual',
        headers: { ...asOperator, origin: new URL(origin).origin },
        body: new URLSearchParams(form),
      })
      return response.status
    },
  }
}

async function kill(program: ReturnType<Programs['launch']>): Promise<void> {
  const gone = once(program, 'exit')
  program.kill('SIGKILL')
  await gone
}

/** The least that there may be: others wait so long for the work of one that was killed. */
const SOON = { JOB_LEASE_MS: '3000', LOG_LEVEL: 'warn' }
const WAIT = { timeout: 20_000, interval: 100 }

describe('kill -9 in the middle of an escalation', () => {
  it('loses neither question, claim nor answer', async () => {
    const first = programs.launch(SOON)
    const before = await peopleAt(await untilReady(first))
    const key = { 'idempotency-key': 'one-question' }
    const questions = [1, 2, 3, 4, 5].map((number) => `Question ${String(number)}?`)
    const accepted = [
      before.ask('human_escalation', 'Question 0?', key),
      ...questions.map((question) => before.ask('human_escalation', question)),
    ]
    // As soon as the first is told that it was accepted; the others are anywhere.
    await Promise.race(accepted)
    await kill(first)
    const told = (await Promise.allSettled(accepted)).flatMap((one) =>
      one.status === 'fulfilled' && one.value.status === 'accepted' ? [one.value.poll!] : [],
    )
    expect(told.length).toBeGreaterThan(0)

    const second = programs.launch(SOON)
    const between = await peopleAt(await untilReady(second))
    await expect.poll(async () => (await between.tickets()).length, WAIT).toBeGreaterThanOrEqual(told.length)
    const again = await between.ask('human_escalation', 'Question 0?', key)
    expect(again.status).toBe('accepted')
    await expect.poll(async () => (await between.tickets()).length, WAIT).toBeGreaterThanOrEqual(told.length)
    for (const ticket of await between.tickets())
      expect(await between.submit(`${ticket}/claim`, {})).toBe(303)
    await kill(second)

    const third = programs.launch(SOON)
    const after = await peopleAt(await untilReady(third))
    for (const ticket of await after.tickets())
      expect(await after.submit(`${ticket}/answer`, { answer: `Yes, ${ticket}.` })).toBe(303)
    await kill(third)

    const last = await peopleAt(await untilReady(programs.launch(SOON)))
    for (const poll of told) {
      const { status, response } = await last.poll(poll)
      expect(status).toBe('success')
      expect(response?.answer).toMatch(/^Yes, \/desk\/tickets\//)
    }
  }, 60_000)
})

describe('a signal to stop', () => {
  let carrier: Server
  let asked: Promise<ServerResponse>

  beforeEach(async () => {
    carrier = createServer()
    asked = once(carrier, 'request').then(([, response]) => response as ServerResponse)
    carrier.listen(0, '127.0.0.1')
    await once(carrier, 'listening')
  })

  afterEach(() => {
    carrier.closeAllConnections()
    carrier.close()
  })

  it.skipIf(process.platform === 'win32')(
    'lets what is under way end, takes nothing new, and ends with exit code 0',
    async () => {
      const { port } = carrier.address() as AddressInfo
      const program = programs.launch({ CARRIER_URL: `http://127.0.0.1:${String(port)}/{number}` })
      const origin = await untilReady(program)
      const { ask } = await peopleAt(origin)
      const answer = ask('parcel_tracking', 'Where is ORD-2026-001?')
      const response = await asked
      const ended = once(program, 'exit')
      program.kill('SIGTERM')
      await expect
        .poll(() => fetch(new URL('/health', origin)).then(Boolean, () => 'refused'))
        .toBe('refused')
      response.setHeader('content-type', 'application/json').end('{"status":"on its way"}')
      expect(await answer).toMatchObject({
        httpStatus: 200,
        response: { answer: 'The carrier says of parcel DP-7001 (order ORD-2026-001): on its way' },
      })
      expect(await ended).toEqual([0, null])
    },
  )
})

describe.skipIf(!hasRedis)(`Redis${hasRedis ? '' : ' (skipped: redis-server is missing)'}`, () => {
  it('that goes and comes back: typed errors meanwhile, no restart, no lost job', async () => {
    await using redis = await startRedis({ folder })
    const program = programs.launch({ ...SOON, REDIS_URL: redis.url })
    const origin = await untilReady(program)
    const { ask, poll, tickets, submit } = await peopleAt(origin)
    const accepted = await ask('human_escalation', 'Anybody there?')
    expect(accepted.status).toBe('accepted')
    await expect.poll(async () => (await tickets()).length, WAIT).toBe(1)

    await redis[Symbol.asyncDispose]()
    await expect.poll(async () => (await fetch(new URL('/health', origin))).status, WAIT).toBe(503)
    expect(await ask('human_escalation', 'And now?')).toMatchObject({ httpStatus: 503, code: 'unavailable' })
    expect(await poll(accepted.poll!)).toMatchObject({ httpStatus: 503, code: 'unavailable' })
    // What needs no Redis goes on.
    for (const path of ['/', '/.well-known/agent.json', '/.well-known/ai-manifest.json', '/health/live'])
      expect((await fetch(new URL(path, origin))).status).toBe(200)

    await using _back = await startRedis({ folder, port: redis.port })
    await expect.poll(async () => (await fetch(new URL('/health', origin))).status, WAIT).toBe(200)
    expect(await poll(accepted.poll!)).toMatchObject({ httpStatus: 200, status: 'pending' })
    const [ticket = ''] = await tickets()
    expect(await submit(`${ticket}/claim`, {})).toBe(303)
    expect(await submit(`${ticket}/answer`, { answer: 'Yes.' })).toBe(303)
    expect(await poll(accepted.poll!)).toMatchObject({ status: 'success', response: { answer: 'Yes.' } })
    expect(program.exitCode).toBeNull()
  }, 60_000)
})

/** A disk of its own for the data, which takes a system that lets its users make one. */
const canMount =
  spawnSync('unshare', ['-rm', 'mount', '-t', 'tmpfs', 'tmpfs', tmpdir()], { timeout: 5000 }).status === 0

describe.skipIf(!canMount)(
  `a full disk${canMount ? '' : ' (skipped: no file system can be mounted here)'}`,
  () => {
    it('is said to be so; what is there is read on, and when there is room all goes on', async () => {
      await mkdir(join(folder, 'data'))
      const start = 'mount -t tmpfs -o size=2m tmpfs "$DATA_DIR" && exec "$0" "$@"'
      const program = programs.launch(SOON, [], ['unshare', '-rm', 'sh', '-c', start])
      const origin = await untilReady(program)
      // As the program sees it.
      const disk = join('/proc', String(program.pid), 'root', folder, 'data')
      const { ask } = await peopleAt(origin, disk)
      const quote = '{"sku":"AHP-IMPL-001"}'
      expect(await ask('get_quote', quote)).toMatchObject({ httpStatus: 200 })

      const ballast = join(disk, 'ballast')
      await writeFile(ballast, Buffer.alloc(4_194_304)).catch((error: unknown) => {
        expect(error).toMatchObject({ code: 'ENOSPC' })
      })
      await expect.poll(async () => (await ask('get_quote', quote)).httpStatus, WAIT).toBe(503)
      expect(await ask('get_quote', quote)).toMatchObject({ code: 'unavailable' })
      expect(await ask('order_lookup', 'Where is ORD-2026-001?')).toMatchObject({ httpStatus: 200 })
      expect((await fetch(new URL('/ai/v1.0/sitemaps/product.json', origin))).status).toBe(200)

      await rm(ballast)
      await expect.poll(async () => (await ask('get_quote', quote)).httpStatus, WAIT).toBe(200)
    }, 60_000)
  },
)

describe('a damaged database', () => {
  it('is named in one line, and left as it is', async () => {
    const file = join(folder, 'data', 'doorplate.db')
    await mkdir(join(folder, 'data'))
    await writeFile(file, 'This was a database once. '.repeat(100))
    const before = await readFile(file, 'utf8')
    const { code, out, err } = await outcome(programs.launch())
    expect({ code, out }).toEqual({ code: 1, out: '' })
    expect(err).toBe(
      `${file} is damaged. Nothing was changed: put back a copy, or move it away to start with a new one.\n`,
    )
    expect(await readFile(file, 'utf8')).toBe(before)
  })
})
