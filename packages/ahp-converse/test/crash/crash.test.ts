import { fork } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ConverseResponse } from '@doorplate/ahp-manifest/messages'
import { afterAll, expect, it } from 'vitest'
import { send } from '../bookshop.js'

const KILLS = 30
const CONVERSE = '/agent/converse'
const CUSTOMER = { authorization: 'Bearer x' }
/** Longer than a lease: what the process before had begun is there to be taken over. */
const AHEAD_MS = 4000

interface Step {
  readonly query: string
  readonly key: string
  readonly step: 'begun' | 'done'
}

const folder = mkdtempSync(join(tmpdir(), 'crash-'))
const ledger = join(folder, 'ledger.ndjson')
afterAll(() => {
  rmSync(folder, { recursive: true })
})

interface SiteProcess extends AsyncDisposable {
  readonly port: number
  end(signal: NodeJS.Signals): Promise<void>
}

let starts = 0
async function start(): Promise<SiteProcess> {
  const child = fork(
    new URL('./desk-process.js', import.meta.url),
    [join(folder, 'jobs.db'), ledger, String(starts++ * AHEAD_MS)],
    { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] },
  )
  const gone = once(child, 'exit')
  const started = await Promise.race([
    once(child, 'message') as Promise<[number]>,
    gone.then(() => undefined),
  ])
  if (started === undefined) throw new Error('The process did not start.')
  async function end(signal: NodeJS.Signals): Promise<void> {
    child.kill(signal)
    await gone
  }
  return { port: started[0], end, [Symbol.asyncDispose]: () => end('SIGKILL') }
}

/** Asks once; undefined when the process went away. The key stays the same, however often it is asked. */
async function ask(port: number, query: string): Promise<ConverseResponse | undefined> {
  const visit = {
    method: 'POST',
    path: CONVERSE,
    headers: { ...CUSTOMER, 'idempotency-key': query.replace(' ', '-') },
    body: { capability: query.split(' ')[0], query, input: {} },
  }
  const seen = await send(port, visit).catch(() => undefined)
  return seen?.json as ConverseResponse | undefined
}

function steps(): Step[] {
  if (!existsSync(ledger)) return []
  const lines = readFileSync(ledger, 'utf8').split('\n')
  return lines.filter((line) => line.endsWith('}')).map((line) => JSON.parse(line) as Step)
}

/** What the customer knows. */
class Customer {
  readonly unanswered = new Set<string>()
  readonly asked: string[] = []
  readonly polls = new Map<string, string>()
  readonly ends = new Map<string, string>()

  wants(capability: string): void {
    const query = `${capability} ${this.asked.length + 1}`
    this.asked.push(query)
    this.unanswered.add(query)
  }

  /** Asks for everything that there is no answer to, until the process goes away. */
  async askAll(port: number): Promise<void> {
    await Promise.all([...this.unanswered].map((query) => this.#ask(port, query)))
  }

  async #ask(port: number, query: string): Promise<void> {
    const answer = await ask(port, query)
    if (answer === undefined) return
    if (answer.status === 'error') {
      // The only fault there may be: what was cut off is told to whoever asks again.
      expect(answer.message).toContain('interrupted')
    }
    this.unanswered.delete(query)
    if (answer.status === 'accepted') this.polls.set(query, answer.poll)
    else this.ends.set(query, answer.status === 'error' ? 'failed' : answer.status)
  }

  /** Waits for the ends of everything that was accepted. */
  async pollAll(port: number): Promise<void> {
    for (const [query, path] of this.polls) {
      let end: string | undefined
      while (end === undefined || end === 'pending') {
        const { status, json } = await send(port, { path, headers: CUSTOMER })
        expect(status, query).toBe(200)
        end = (json as ConverseResponse).status
        if (end === 'pending') await sleep(20)
      }
      this.ends.set(query, end)
    }
  }
}

it(`loses no job and repeats no effect in ${KILLS} kills at any point`, { timeout: 300_000 }, async () => {
  const customer = new Customer()
  for (let kill = 0; kill < KILLS; kill++) {
    for (let n = 0; n < 3; n++) for (const capability of ['order', 'report']) customer.wants(capability)
    await using site = await start()
    const asking = customer.askAll(site.port)
    // Some in the middle of an action, however slow the machine is.
    if (kill % 5 === 0) await untilActing()
    else await sleep(Math.random() * 60)
    await site.end('SIGKILL')
    await asking
  }
  await using site = await start()
  await customer.askAll(site.port)
  expect(customer.unanswered).toEqual(new Set())
  await customer.pollAll(site.port)

  const { ends } = customer
  const begun = keysByQuery('begun')
  const done = keysByQuery('done')
  for (const query of customer.asked) {
    const keys = begun.get(query) ?? []
    expect(new Set(keys).size, query).toBeLessThanOrEqual(1)
    if (query.startsWith('order')) {
      expect(keys.length, query).toBeLessThanOrEqual(1)
      // It may be cut off between its mark and its first step: then it has had no effect, and its end says so.
      if (keys.length === 0) expect(ends.get(query) ?? 'failed', query).toBe('failed')
    } else expect(ends.get(query), query).toBe('success')
    if (ends.get(query) === 'success') expect(done.has(query), query).toBe(true)
  }
  const isCutOff = (query: string): boolean => begun.has(query) && !done.has(query)
  expect(customer.asked.filter(isCutOff).length, 'actions cut off in the middle').toBeGreaterThan(0)
})

/** Waits until an action has begun and is not done; not for ever, as it may have been too quick to be seen. */
async function untilActing(): Promise<void> {
  const before = new Set(keysByQuery('begun').keys())
  for (const end = Date.now() + 2_000; Date.now() < end;) {
    const done = keysByQuery('done')
    if ([...keysByQuery('begun').keys()].some((query) => !before.has(query) && !done.has(query))) return
    await sleep(1)
  }
}

function keysByQuery(wanted: Step['step']): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>()
  for (const { query, key, step } of steps())
    if (step === wanted) found.set(query, [...(found.get(query) ?? []), key])
  return found
}
