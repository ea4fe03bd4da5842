import { scriptedLookup } from '@internal/loopback'
import { expect, it } from 'vitest'
import { createSafeFetch } from '../src/index.js'
import type { SafeFetchOptions } from '../src/index.js'
import { openWorld, redirectTo, rejection, routes } from './world.js'
import type { Reply } from './world.js'

const URL_OF_HOP = 'http://b.example/page?x=1'
/** Enough for the way to the hop that is never answered. */
const LIMIT_MS = 1500
const coded =
  (coding: string, body = ''): Reply =>
  (_request, response) =>
    response.writeHead(200, { 'content-encoding': coding }).end(body)

it.each<[string, Reply, SafeFetchOptions]>([
  ['timeout', () => undefined, { timeoutMs: LIMIT_MS }],
  ['timeout', (_request, response) => response.writeHead(200).write('begun'), { timeoutMs: LIMIT_MS }],
  ['attempt_timeout', () => undefined, { retry: { maxAttempts: 1, attemptTimeoutMs: LIMIT_MS } }],
  ['response_too_large', (_request, response) => response.end('too long'), { maxResponseBytes: 3 }],
  [
    'response_too_large',
    (_request, response) => {
      streamed(response, 'too long')
    },
    { maxResponseBytes: 3 },
  ],
  ['decode_failed', coded('gzip', 'no gzip'), {}],
  ['unsupported_content_encoding', coded('compress', 'x'), {}],
])('%s names the hop that it happened at', async (code, reply, options) => {
  const { safeFetch } = await openWorld(
    routes({ 'http://a.example/': redirectTo(URL_OF_HOP), [URL_OF_HOP]: reply }),
    options,
  )
  const calls = [
    () => safeFetch.request('http://a.example/'),
    () => safeFetch('http://a.example/').then((response) => response.text()),
  ]
  for (const call of calls) expect(await rejection(call())).toMatchObject({ code, url: URL_OF_HOP })
})

it('a stream that would be sent again names where to', async () => {
  const { safeFetch } = await openWorld(routes({ 'http://a.example/': redirectTo(URL_OF_HOP, 307) }))
  const body = new Blob(['once']).stream()
  const call = safeFetch('http://a.example/', { method: 'POST', body, duplex: 'half' })
  expect(await rejection(call)).toMatchObject({ code: 'body_not_replayable', url: URL_OF_HOP })
})

it('a check names what it was asked about', async () => {
  const url = 'https://a.example/hook'
  const { check } = createSafeFetch({ lookup: scriptedLookup({ 'a.example': ['10.0.0.1'] }) })
  expect(await rejection(check(url))).toMatchObject({ code: 'blocked', url })
  const slow = createSafeFetch({ lookup: () => undefined, timeoutMs: 5 })
  expect(await rejection(slow.check(url))).toMatchObject({ code: 'timeout', url })
})

it('the reason of an abort stays as it is', async () => {
  const { safeFetch } = await openWorld(() => undefined)
  const reason = Object.freeze(new Error('gone'))
  const controller = new AbortController()
  const call = safeFetch('http://a.example/', { signal: controller.signal })
  setImmediate(() => {
    controller.abort(reason)
  })
  expect(await rejection(call)).toBe(reason)
})

it('the reason of an abort stays as it is, also where it is the error of another call', async () => {
  const { safeFetch } = await openWorld(() => undefined)
  const reason = await rejection(safeFetch('no URL'))
  const slow = createSafeFetch({ lookup: () => undefined })
  for (const call of [safeFetch, safeFetch.request, slow.check]) {
    const controller = new AbortController()
    const waiting = call('http://a.example/', { signal: controller.signal })
    setImmediate(() => {
      controller.abort(reason)
    })
    expect(await rejection(waiting)).toBe(reason)
  }
  expect(reason).not.toHaveProperty('url')
})

it('a relative URL is told what it needs, unless there is that', async () => {
  expect(await rejection(createSafeFetch()('/x'))).toMatchObject({
    code: 'invalid_url',
    message: 'The URL cannot be parsed. A relative one needs the option baseUrl.',
  })
  const based = createSafeFetch({ baseUrl: 'https://a.example' })
  expect(await rejection(based('https://['))).toMatchObject({ message: 'The URL cannot be parsed.' })
})

function streamed(response: Parameters<Reply>[1], body: string): void {
  response.flushHeaders()
  response.end(body)
}
