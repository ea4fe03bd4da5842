import { describe, expect, it } from 'vitest'
import { budgetExceeded } from './errors.js'
import { RequestLog, type LoggedRequest, type RequestLogOptions } from './request-log.js'
import type { RequestPort } from './request-port.js'

const URL_A = 'https://site.test/a'

function respondWith(bytes: number): RequestPort {
  return ({ url }) =>
    Promise.resolve({ url, redirected: false, status: 200, headers: {}, body: new Uint8Array(bytes) })
}

function failWith(code: string): RequestPort {
  return () => Promise.reject(Object.assign(new Error('It failed.'), { code }))
}

/** Never answers; rejects when its signal is aborted, as a transport does. */
const silent: RequestPort = ({ signal }) =>
  new Promise((_, reject) => {
    signal.addEventListener('abort', () => {
      reject(signal.reason as Error)
    })
  })

function logOver(port: RequestPort, options: RequestLogOptions = {}): RequestLog {
  const log = new RequestLog(port, options)
  log.close()
  return log
}

describe('RequestLog', () => {
  it('reports what was sent and what came of it', async () => {
    const seen: LoggedRequest[] = []
    const log = logOver(respondWith(5), { now: () => 0, onRequest: (entry) => seen.push(entry) })
    expect(await log.send({ url: URL_A, method: 'HEAD' })).toMatchObject({
      ok: true,
      response: { status: 200 },
    })
    expect(seen).toEqual([{ method: 'HEAD', url: URL_A, status: 200, bytes: 5, duration_ms: 0 }])
    expect([log.count, log.bytes]).toEqual([1, 5])
  })

  it('makes a failure of the transport a result', async () => {
    const seen: LoggedRequest[] = []
    const log = logOver(failWith('timeout'), { onRequest: (request) => seen.push(request) })
    expect(await log.send({ url: URL_A })).toMatchObject({
      ok: false,
      failure: { code: 'timeout', message: 'It failed.' },
    })
    expect(seen).toMatchObject([{ failure: 'timeout' }])
  })

  it('lets a budget of the site itself through', async () => {
    const seen: LoggedRequest[] = []
    const port: RequestPort = () => Promise.reject(budgetExceeded('rateLimit', 'Status 429.'))
    const log = logOver(port, { onRequest: (request) => seen.push(request) })
    await expect(log.send({ url: URL_A })).rejects.toMatchObject({ budget: 'rateLimit' })
    expect(seen).toHaveLength(1)
  })

  it('sends as many requests as it may and not one more', async () => {
    const log = logOver(respondWith(0), { maxRequests: 2 })
    await log.send({ url: URL_A })
    await log.send({ url: URL_A })
    await expect(log.send({ url: URL_A })).rejects.toMatchObject({
      code: 'budget_exceeded',
      budget: 'maxRequests',
    })
    expect(log.count).toBe(2)
  })

  it('gives a response no more bytes than are left', async () => {
    const limits: number[] = []
    const port: RequestPort = (request) => {
      limits.push(request.maxResponseBytes)
      return respondWith(Math.min(6, request.maxResponseBytes))(request)
    }
    const log = logOver(port, { maxTotalBytes: 10, maxResponseBytes: 8 })
    await log.send({ url: URL_A })
    await log.send({ url: URL_A })
    expect(limits).toEqual([8, 4])
    await expect(log.send({ url: URL_A })).rejects.toMatchObject({ budget: 'maxTotalBytes' })
  })

  it('tells a response that is too large from a budget that is used up', async () => {
    const large = failWith('response_too_large')
    expect(await logOver(large).send({ url: URL_A })).toMatchObject({ ok: false })
    const tight = logOver(large, { maxTotalBytes: 10 })
    await expect(tight.send({ url: URL_A })).rejects.toMatchObject({ budget: 'maxTotalBytes' })
  })

  it('cancels what is under way at its deadline', async () => {
    const log = new RequestLog(silent, { deadlineMs: 5 })
    await expect(log.send({ url: URL_A })).rejects.toMatchObject({
      code: 'budget_exceeded',
      budget: 'deadlineMs',
    })
    await expect(log.send({ url: URL_A })).rejects.toMatchObject({ budget: 'deadlineMs' })
    log.close()
  })

  it('rejects with the reason of the caller who aborts', async () => {
    const controller = new AbortController()
    const log = logOver(silent, { signal: controller.signal })
    const pending = log.send({ url: URL_A })
    const reason = new Error('enough')
    controller.abort(reason)
    await expect(pending).rejects.toBe(reason)
  })

  it.each(['maxRequests', 'maxTotalBytes', 'maxResponseBytes', 'deadlineMs'] as const)(
    'refuses a %s that is no positive whole number',
    (option) => {
      for (const value of [0, -1, 1.5, NaN, Infinity]) {
        expect(() => new RequestLog(respondWith(0), { [option]: value })).toThrow(
          expect.objectContaining({ code: 'invalid_option', option }),
        )
      }
    },
  )

  it('counts the bytes of bodies that were too long', async () => {
    const log = logOver(failWith('response_too_large'), { maxTotalBytes: 20, maxResponseBytes: 8 })
    expect((await log.send({ url: URL_A })).ok).toBe(false)
    expect((await log.send({ url: URL_A })).ok).toBe(false)
    await expect(log.send({ url: URL_A })).rejects.toMatchObject({ budget: 'maxTotalBytes' })
    expect(log.bytes).toBe(20)
  })

  it('gives out no response beyond the bytes of the run, also of requests at the same time', async () => {
    const log = logOver(respondWith(6), { maxTotalBytes: 10 })
    const results = await Promise.allSettled([1, 2, 3].map(() => log.send({ url: URL_A })))
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected'])
  })

  it('stops waiting for a port that does not heed its signal', async () => {
    const run = new AbortController()
    const log = logOver(() => new Promise<never>(() => undefined), { signal: run.signal })
    const sent = log.send({ url: URL_A })
    run.abort(new Error('enough'))
    await expect(sent).rejects.toThrow('enough')
  })

  it('has any number of requests under way without a warning of a leak', async () => {
    const warnings: Error[] = []
    const listen = (warning: Error): unknown => warnings.push(warning)
    process.on('warning', listen)
    const log = logOver(respondWith(1), { signal: new AbortController().signal })
    await Promise.all(Array.from({ length: 100 }, () => log.send({ url: URL_A })))
    await new Promise((resolve) => setImmediate(resolve))
    process.off('warning', listen)
    expect(warnings).toEqual([])
  })

  it('does not take an exception of the caller for a failure of the site', async () => {
    const onRequest = (): void => {
      throw new Error('mine')
    }
    const log = logOver(respondWith(1), { onRequest })
    await expect(log.send({ url: URL_A })).rejects.toThrow('mine')
    expect(log.count).toBe(1)
  })

  it.each([
    ['options', null],
    ['signal', { signal: {} }],
    ['now', { now: 5 }],
    ['onRequest', { onRequest: 'x' }],
  ])('refuses a wrong value of %s', (option, options) => {
    const create = (): RequestLog => new RequestLog(respondWith(0), options as RequestLogOptions)
    expect(create).toThrow(expect.objectContaining({ code: 'invalid_option', option }))
  })

  it.each([
    ['a guarded fetch', Object.assign(() => undefined, { request: () => undefined })],
    ['nothing', undefined],
  ])('refuses %s as a port, and says how one is made', (_, port) => {
    expect(() => new RequestLog(port as unknown as RequestPort)).toThrow(
      'Option port must be such as followRedirects(hopOver(fetch), headersFor, limits) makes of a fetch.',
    )
  })
})
