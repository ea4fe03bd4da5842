import { hasRedis, type RedisServer, startRedis } from '@internal/loopback'
import { Queue } from 'bullmq'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { createBullAnswerer, createBullWorker } from '../../src/bullmq.js'
import type { Progress, Turn } from '../../src/turn.js'

let redis: RedisServer
let names = 0

describe.skipIf(!hasRedis)(`work in BullMQ${hasRedis ? '' : ' (skipped: no redis-server here)'}`, () => {
  beforeAll(async () => {
    redis = await startRedis()
  })
  afterAll(() => redis[Symbol.asyncDispose]())

  const closing: { close(): Promise<void> }[] = []
  afterEach(async () => {
    await Promise.all(closing.splice(0).map((one) => one.close()))
  })

  it('is answered by a worker, which tells how far it is', async () => {
    const options = newQueue()
    const parts = createBullAnswerer(options)
    const seen: unknown[] = []
    const worker = createBullWorker(({ reportProgress, signal, ...task }) => {
      seen.push(task, signal.aborted)
      reportProgress?.({ text: 'Half way', etaSeconds: 2 })
      return { answer: `Done: ${task.query}.`, output: { done: true } }
    }, options)
    const told: Progress[] = []
    const outcome = await parts.answer(turn({ reportProgress: (progress) => told.push(progress) }))
    expect(outcome).toEqual({ answer: 'Done: one.', output: { done: true } })
    const { signal: _signal, ...task } = turn({})
    expect(seen).toEqual([task, false])
    expect(told).toEqual([{ text: 'Half way', etaSeconds: 2 }])
    await Promise.all([parts.close(), worker.close()])
  })

  it('tells how far it is to whoever asks only then', async () => {
    const options = newQueue()
    let finish: () => void = () => undefined
    const begun = new Promise<void>((resolve) => {
      const worker = createBullWorker(async ({ reportProgress }) => {
        reportProgress?.({ text: 'Half way' })
        resolve()
        await new Promise<void>((done) => (finish = done))
        return { answer: 'Done.' }
      }, options)
      closing.push(worker)
    })
    const first = createBullAnswerer(options)
    const answered = first.answer(turn({}))
    await begun
    const late = createBullAnswerer(options)
    closing.push(first, late)
    const told: Progress[] = []
    const again = late.answer(turn({ reportProgress: (progress) => told.push(progress) }))
    await expect.poll(() => told).toEqual([{ text: 'Half way' }])
    finish()
    expect(await Promise.all([answered, again])).toEqual([{ answer: 'Done.' }, { answer: 'Done.' }])
    expect(told).toHaveLength(1)
  })

  it('is done once, however often it is asked for with one key', async () => {
    const options = newQueue()
    const first = createBullAnswerer(options)
    const second = createBullAnswerer(options)
    const leaving = new AbortController()
    const left = first.answer(turn({ signal: leaving.signal }))
    leaving.abort(new Error('The process has gone.'))
    await expect(left).rejects.toThrow('The process has gone.')
    let done = 0
    const worker = createBullWorker(() => ({ answer: `Done ${++done}.` }), options)
    const answers = await Promise.all([first.answer(turn({})), second.answer(turn({}))])
    expect([...answers, await second.answer(turn({}))]).toEqual(Array(3).fill({ answer: 'Done 1.' }))
    expect(await first.answer(turn({ idempotencyKey: 'another' }))).toEqual({ answer: 'Done 2.' })
    await Promise.all([first.close(), second.close(), worker.close()])
  })

  it('that fails is a failure of the site', async () => {
    const options = newQueue()
    const parts = createBullAnswerer(options)
    const worker = createBullWorker(() => {
      throw new Error('Out of paper')
    }, options)
    await expect(parts.answer(turn({}))).rejects.toMatchObject({
      name: 'ConverseError',
      code: 'work_failed',
      message: expect.not.stringContaining('paper') as string,
      cause: expect.objectContaining({ message: 'Out of paper' }) as Error,
    })
    await Promise.all([parts.close(), worker.close()])
  })

  it('that somebody removes from the queue fails, which is printed where nobody listens', async () => {
    using printed = vi.spyOn(console, 'error').mockImplementation(() => undefined)
    const options = newQueue()
    const parts = createBullAnswerer(options)
    const queue = new Queue(options.name, options)
    await queue.waitUntilReady()
    const worker = createBullWorker(async () => {
      await queue.obliterate({ force: true })
      return { answer: 'Too late.' }
    }, options)
    await expect(parts.answer(turn({}))).rejects.toMatchObject({ code: 'work_failed' })
    await Promise.all([parts.close(), worker.close(), queue.close()])
    expect(printed.mock.calls).toEqual([
      [
        expect.stringMatching(
          /^\[ahp-converse\] Something failed at queue: Error: .+ Look at connection of the queue/,
        ),
      ],
    ])
  })

  it('says what an option should be', () => {
    const options = newQueue()
    const refused = expect.objectContaining({ code: 'invalid_option' }) as Error
    expect(() => createBullAnswerer({ ...options, keepMs: 0 })).toThrow(refused)
    expect(() => createBullAnswerer({ ...options, keep: 1 } as never)).toThrow(refused)
    for (const wrong of [{ concurrency: 0 }, { leaseMs: 0.5 }, { maxRestarts: -1 }])
      expect(() => createBullWorker(() => ({ answer: '' }), { ...options, ...wrong })).toThrow(refused)
  })
})

function newQueue(): { readonly connection: { readonly port: number }; readonly name: string } {
  return { connection: { port: redis.port }, name: `work-${names++}` }
}

function turn(members: Partial<Turn>): Turn {
  return {
    capability: 'order',
    query: 'one',
    contentType: 'text/answer',
    history: [],
    sessionId: 'session',
    maxTokens: 100,
    idempotencyKey: '0123456789abcdef',
    signal: new AbortController().signal,
    ...members,
  }
}
