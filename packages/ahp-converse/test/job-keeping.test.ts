import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Outcome } from '../src/outcome.js'
import type { Turn } from '../src/turn.js'
import {
  type Concierge,
  type ConciergeConfig,
  type ConverseReply,
  createMemoryJobStore,
  defineConcierge,
  type JobStore,
} from '../src/server.js'

/** How long jobs are kept, and that nobody can have all of the room. */

const START_MS = 1_767_225_600_000
const HOOK = 'https://agent.example/hook'

interface Site {
  readonly concierge: Concierge
  /** What was posted to callback URLs. */
  readonly posted: readonly string[]
  pass(ms: number): void
  ask(wish?: Wish): Promise<ConverseReply>
}

interface Wish {
  readonly address?: string
  readonly principal?: string
  readonly key?: string
  readonly callback?: boolean
  readonly signal?: AbortSignal
}

const opened: Concierge[] = []
afterEach(async () => {
  await Promise.all(opened.splice(0).map((concierge) => concierge.close({ timeoutMs: 1 })))
})

function open(overrides: Partial<ConciergeConfig> = {}, acceptAfterMs = 10_000): Site {
  let time = START_MS
  let done = 0
  const posted: string[] = []
  const concierge = defineConcierge({
    name: 'Shop',
    publicUrl: 'https://shop.test',
    contentSignals: { ai_train: false, ai_input: true, search: true, attribution_required: false },
    capabilities: {
      count: {
        description: 'Counts.',
        mode: 'MODE2',
        acceptAfterMs,
        answer: (): Outcome => ({ answer: `Number ${++done}.` }),
      },
    },
    verify: ({ value }) => ({ id: value }),
    callbacks: {
      transport: {
        allows: () => Promise.resolve(true),
        post: (_url, { body }) => {
          posted.push(body)
          return Promise.resolve({ status: 204 })
        },
      },
      secrets: () => [`whsec_${btoa('a secret of thirty-two characters')}`],
    },
    limits: { unauthenticated: { ask: '10000/minute' }, authenticated: { ask: '10000/minute' } },
    now: () => time,
    ...overrides,
  })
  opened.push(concierge)
  return {
    concierge,
    posted,
    pass(ms) {
      time += ms
    },
    ask: ({ address = '192.0.2.1', principal, key, callback = false, signal } = {}) =>
      concierge.converse({
        request: {
          capability: 'count',
          query: 'x',
          context: callback ? { callback_url: HOOK } : {},
        },
        caller: { address, ...(principal === undefined ? {} : { principal: { id: principal } }) },
        idempotencyKey: key,
        signal,
      }),
  }
}

function answerOf({ body }: ConverseReply): string {
  return body.status === 'success' ? body.response.answer : body.status
}

async function kept({ concierge }: Site): Promise<number | undefined> {
  return (await concierge.counts()).jobs?.ended
}

describe('a job that was answered while the visitor waited', () => {
  it('is not kept: nobody knows how to ask for it', async () => {
    const site = open()
    expect(answerOf(await site.ask())).toBe('Number 1.')
    expect(await site.concierge.counts()).toMatchObject({ jobs: { open: 0, ended: 0 } })
  })

  it('is kept where a key asks for it', async () => {
    const site = open()
    await site.ask({ key: 'one' })
    expect(await kept(site)).toBe(1)
    expect(answerOf(await site.ask({ key: 'one' }))).toBe('Number 1.')
  })
})

describe('the room for jobs', () => {
  it('cannot be taken by one caller: its oldest make room for its next', async () => {
    const site = open({ jobs: { maxJobs: 100, maxJobsPerOwner: 2, maxOpenJobsPerOwner: 2 } })
    await site.ask({ address: '192.0.2.9', key: 'another' })
    for (const key of ['a', 'b', 'c', 'd']) {
      await site.ask({ key })
      site.pass(1)
    }
    expect(await kept(site)).toBe(3)
    expect(answerOf(await site.ask({ key: 'd' }))).toBe('Number 5.')
    expect(answerOf(await site.ask({ address: '192.0.2.9', key: 'another' }))).toBe('Number 1.')
    expect(answerOf(await site.ask({ key: 'a' }))).toBe('Number 6.')
  })

  it('counts an IPv6 network as one caller, whose addresses see nothing of each other', async () => {
    const site = open({ jobs: { maxJobsPerOwner: 3, maxOpenJobsPerOwner: 3 } })
    for (let host = 1; host <= 9; host++) await site.ask({ address: `2001:db8::${host}`, key: 'same' })
    expect(await kept(site)).toBe(3)
    expect(answerOf(await site.ask({ address: '2001:db8::9', key: 'same' }))).toBe('Number 9.')
    await site.ask({ address: '2001:db8:1::1', key: 'same' })
    expect(await kept(site)).toBe(4)
  })

  it('is freed the sooner the less of it there is', async () => {
    const site = open({ jobs: { maxJobs: 8, retentionMs: 1_000_000 } })
    for (let key = 0; key < 4; key++) await site.ask({ key: String(key) })
    site.pass(900_000)
    await site.concierge.runDueJobs()
    expect(await kept(site)).toBe(4)
    for (let key = 4; key < 6; key++) await site.ask({ key: String(key) })
    await site.concierge.runDueJobs()
    expect(await kept(site)).toBe(2)
  })

  it('is there again in time, however many end at once', async () => {
    const site = open({ jobs: { maxJobs: 1_000, retentionMs: 1_000 } })
    for (let caller = 0; caller < 900; caller++) await site.ask({ principal: `p${caller}`, key: 'k' })
    expect(await kept(site)).toBe(900)
    site.pass(1_000)
    await site.concierge.runDueJobs()
    expect(await kept(site)).toBe(0)
  })
})

/** A store whose next write of an end waits until it is let through, or is refused. */
function slowStore(): { readonly store: JobStore; readonly reached: Promise<(isWritten: boolean) => void> } {
  const memory = createMemoryJobStore()
  let reach: (go: (isWritten: boolean) => void) => void
  const reached = new Promise<(isWritten: boolean) => void>((resolve) => (reach = resolve))
  const write: JobStore['update'] = async (job, options) => {
    const isWritten = await new Promise<boolean>((resolve) => {
      reach(resolve)
    })
    return isWritten && memory.update(job, options)
  }
  let isFirst = true
  return {
    reached,
    store: {
      ...memory,
      update(job, options) {
        if (job.finishedAt === undefined || !isFirst) return memory.update(job, options)
        isFirst = false
        return write(job, options)
      },
    },
  }
}

it('a refusal cannot be changed for others by whoever gets it in the same process', async () => {
  const { concierge } = open()
  const refusedTo = async (address: string): Promise<ConverseReply['body']> => {
    for (const query of ['one', 'other']) {
      const request = { capability: 'count', query }
      const { status, body } = await concierge.converse({ request, caller: { address }, idempotencyKey: 'k' })
      if (status === 409) return body
    }
    throw new Error('It was not refused.')
  }
  const body = await refusedTo('192.0.2.1')
  Reflect.set(body, 'message', 'Said by another.')
  expect(await refusedTo('192.0.2.2')).toMatchObject({
    message: expect.stringContaining('the key') as string,
  })
})

describe('H21: a turn that finds no room', () => {
  const OWNER = { address: '192.0.2.1' }

  /** A site with room for one job, a session with an open question, and a job that takes the room until `free`. */
  async function openFull(): Promise<{
    readonly turn: (members: object) => Promise<ConverseReply>
    readonly free: () => Promise<void>
  }> {
    let free = (): void => undefined
    const waiting = new Promise<Outcome>((resolve) => {
      free = () => {
        resolve({ answer: 'Done.' })
      }
    })
    const answer = ({ query, clarification }: Turn): Outcome | Promise<Outcome> => {
      if (query === 'long') return waiting
      return clarification === undefined
        ? { clarification: { question: 'Which colour?' } }
        : { answer: clarification.reply }
    }
    const { concierge } = open({
      capabilities: { count: { description: 'Counts.', mode: 'MODE2', acceptAfterMs: 10_000, answer } },
      jobs: { maxOpenJobsPerOwner: 1 },
      sessions: { maxTurns: 3 },
    })
    const turn = (members: object): Promise<ConverseReply> =>
      concierge.converse({ request: { capability: 'count', query: 'x', ...members }, caller: OWNER })
    const { body } = await turn({})
    const { session_id } = body as { readonly session_id: string }
    const long = turn({ query: 'long' })
    return {
      turn: (members) => turn({ session_id, ...members }),
      free: async () => {
        free()
        await long
      },
    }
  }

  it('is no turn, and leaves the question of the session open', async () => {
    const { turn, free } = await openFull()
    for (let times = 0; times < 5; times++)
      expect((await turn({ clarification: 'Red.' })).body).toMatchObject({
        code: 'rate_limited',
        retry_after: 60,
      })
    await free()
    expect(answerOf(await turn({ clarification: 'Red.' }))).toBe('Red.')
    expect((await turn({})).body).toMatchObject({ status: 'clarification_needed' })
    expect((await turn({})).body).toMatchObject({ code: 'rate_limited', scope: 'session' })
  })
})

describe('a wait that is over while the end is being written', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] })
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  it('goes on until it is, so that the result is not lost between the two', async () => {
    const { store, reached } = slowStore()
    const site = open({ jobs: { store } }, 20)
    const asked = site.ask({ principal: 'p', callback: true })
    const write = await reached
    vi.advanceTimersByTime(20)
    write(true)
    expect(answerOf(await asked)).toBe('Number 1.')
    expect(site.posted).toEqual([])
  })

  it('is over when the end could not be written', async () => {
    const { store, reached } = slowStore()
    const site = open({ jobs: { store } }, 20)
    const asked = site.ask({ principal: 'p', callback: true })
    const write = await reached
    vi.advanceTimersByTime(20)
    write(false)
    expect(answerOf(await asked)).toBe('accepted')
  })

  it('is not over before its time when the end could not be written', async () => {
    const { store, reached } = slowStore()
    const site = open({ jobs: { store } }, 20)
    const asked = site.ask({ principal: 'p', callback: true })
    const write = await reached
    vi.advanceTimersByTime(19)
    write(false)
    let isOver = false
    void asked.then(() => (isOver = true))
    await new Promise(setImmediate)
    expect(isOver).toBe(false)
    vi.advanceTimersByTime(1)
    expect(answerOf(await asked)).toBe('accepted')
  })

  it('has the result posted when the visitor leaves meanwhile', async () => {
    const { store, reached } = slowStore()
    const site = open({ jobs: { store } }, 20)
    const leaving = new AbortController()
    const asked = site.ask({ principal: 'p', callback: true, signal: leaving.signal })
    const write = await reached
    leaving.abort(new Error('gone'))
    write(true)
    await expect(asked).rejects.toThrow('gone')
    await new Promise(setImmediate)
    await site.concierge.runDueJobs()
    expect(site.posted.map((body) => JSON.parse(body) as unknown)).toMatchObject([
      { status: 'success', response: { answer: 'Number 1.' } },
    ])
  })
})
