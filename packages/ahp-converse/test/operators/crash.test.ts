import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ConverseResponse } from '@doorplate/ahp-manifest/messages'
import { afterAll, expect, it } from 'vitest'
import { createSqliteJobStore } from '../../src/sqlite.js'

const KILLS = 25
const QUESTIONS = 4
/** Longer than a lease: what the process before had begun is there to be taken over. */
const AHEAD_MS = 4000

const folder = mkdtempSync(join(tmpdir(), 'inbox-'))
const file = join(folder, 'jobs.db')
afterAll(() => {
  rmSync(folder, { recursive: true })
})

type Reply = { readonly value: unknown } | { readonly code: string }

interface Site {
  readonly child: ChildProcess
  /** Undefined when the process was killed before it replied. */
  readonly order: (
    step: 'ask' | 'claim' | 'answer',
    subject: string,
    operator?: string,
  ) => Promise<Reply | undefined>
}

let starts = 0
async function start(): Promise<Site> {
  const child = fork(new URL('./inbox-process.js', import.meta.url), [file, String(starts++ * AHEAD_MS)], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  await once(child, 'message')
  const waiting = new Map<number, (reply: Reply | undefined) => void>()
  child.on('message', ({ n, ...reply }: { n: number } & Reply) => {
    waiting.get(n)?.(reply)
    waiting.delete(n)
  })
  child.once('exit', () => {
    for (const resolve of waiting.values()) resolve(undefined)
  })
  let n = 0
  return {
    child,
    order: (step, subject, operator) =>
      new Promise((resolve) => {
        waiting.set(++n, resolve)
        child.send({ n, step, subject, operator }, (error) => {
          if (error !== null) resolve(undefined)
        })
      }),
  }
}

it(`loses no question, claim or answer in ${KILLS} kills at any point`, { timeout: 300_000 }, async () => {
  const unasked = new Set<string>()
  const accepted = new Map<string, string>()
  const claimed = new Set<string>()
  const answered = new Set<string>()
  const cut = { ask: 0, claim: 0, answer: 0 }
  let asked = 0

  /** One question on its way, as far as it comes before the process is killed. */
  async function escalate({ order }: Site, query: string): Promise<void> {
    let id = accepted.get(query)
    if (id === undefined) {
      const reply = await order('ask', query)
      if (reply === undefined) {
        cut.ask++
        return
      }
      const body = ('value' in reply ? reply.value : undefined) as ConverseResponse
      expect(body.status, query).toBe('accepted')
      id = (body as { session_id: string }).session_id
      accepted.set(query, id)
    }
    if (!claimed.has(id)) {
      let reply: Reply | undefined
      do reply = await order('claim', id, 'ann')
      while (reply !== undefined && 'code' in reply && reply.code === 'unknown_ticket')
      if (reply === undefined) {
        cut.claim++
        return
      }
      expect(reply, query).toHaveProperty('value')
      claimed.add(id)
    } else expect(await order('claim', id, 'bob')).toSatisfy(isRefusedOrCut)
    const reply = await order('answer', id, 'ann')
    if (reply === undefined) {
      cut.answer++
      return
    }
    // An answer that was cut off may have been kept: then the question is not there any more.
    if ('code' in reply) expect(reply.code, query).toBe('unknown_ticket')
    answered.add(id)
  }

  for (let kill = 0; kill <= KILLS; kill++) {
    const site = await start()
    const gone = once(site.child, 'exit')
    for (let n = 0; n < QUESTIONS && kill < KILLS; n++) unasked.add(`Question ${++asked}`)
    const open = [...unasked].filter((query) => !answered.has(accepted.get(query) ?? ''))
    const ways = open.map((query) => escalate(site, query))
    if (kill < KILLS) await Promise.race([sleep(Math.random() * 40), Promise.all(ways)])
    else await Promise.all(ways)
    site.child.kill('SIGKILL')
    await gone
    await Promise.all(ways)
  }

  expect(accepted.size).toBe(asked)
  const store = createSqliteJobStore(file)
  for (const [query, id] of accepted)
    expect(await store.read(id), query).toMatchObject({
      state: 'success',
      operator: { who: { id: 'ann' } },
      result: { response: { answer: `Answer to ${query}` } },
    })
  expect(await store.list({ queue: 'operator', limit: 1 })).toEqual([])
  store.close()
  expect(Math.min(...Object.values(cut)), JSON.stringify(cut)).toBeGreaterThan(0)
})

/** Of a question that is another's, or has been answered. */
function isRefusedOrCut(reply: Reply | undefined): boolean {
  return reply === undefined || ('code' in reply && ['ticket_claimed', 'unknown_ticket'].includes(reply.code))
}
