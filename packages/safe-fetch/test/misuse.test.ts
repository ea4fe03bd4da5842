import { inspect } from 'node:util'

import { expect, it } from 'vitest'

import { classifyAddress, handleKeyDirectory, parseRetryAfter, safeFetch } from '../src/index.js'
import { openWorld, rejection, text } from './world.js'

const URL_TEXT = 'http://a.example/'

it.each([
  ['no init', null, 'SafeRequestInit'],
  ['a list as init', [], 'SafeRequestInit'],
  ['Headers, whose fields would be lost', { headers: new Headers({ a: 'b' }) }, 'headers'],
  ['a Map of headers', { headers: new Map([['a', 'b']]) }, 'headers'],
  ['a text as headers', { headers: 'a: b' }, 'headers'],
  ['null as headers', { headers: null }, 'headers'],
  ['a number as a header', { headers: { a: 5 } }, 'headers'],
  ['an object as body', { method: 'POST', body: { a: 1 } }, 'body'],
  ['a number as body', { method: 'POST', body: 5 }, 'body'],
  ['null as body', { method: 'POST', body: null }, 'body'],
  ['an object as signal', { signal: {} }, 'signal'],
  ['NaN as a limit', { timeoutMs: NaN }, 'timeoutMs'],
  ['an unknown member', { timeout: 5 }, 'timeout'],
])('the core refuses %s', async (_name, init, option) => {
  const error = await rejection(safeFetch.request(URL_TEXT, init as never))
  expect(error).toMatchObject({ name: 'SafeFetchError', code: 'invalid_option', option })
})

it.each([
  ['a text as headers', { headers: 'a: b' }, 'headers'],
  ['a line break in a header', { headers: { authorization: 'Bearer hunter2\r\nx: y' } }, 'headers'],
  ['a header beyond latin1', { headers: { authorization: 'hunter2\u20ac' } }, 'headers'],
  ['a line break in a name', { headers: { 'a\r\nb': 'hunter2' } }, 'headers'],
  ['an object as signal', { signal: {} }, 'signal'],
  ['a text as signal', { signal: 'hunter2' }, 'signal'],
  ['a locked stream', { method: 'POST', body: locked(), duplex: 'half' }, 'body'],
  ['a stream that was read', { method: 'POST', body: await disturbed(), duplex: 'half' }, 'body'],
])('the fetch refuses %s, and repeats nothing of it', async (_name, init, option) => {
  const error = await rejection(safeFetch(URL_TEXT, init as never))
  expect(error).toMatchObject({ name: 'SafeFetchError', code: 'invalid_option', option })
  expect(inspect(error)).not.toContain('hunter2')
})

it('the fetch refuses a Request-like object whose body is no stream', async () => {
  const input = { url: URL_TEXT, method: 'POST', headers: {}, body: 'x' }
  expect(await rejection(safeFetch(input as never))).toMatchObject({
    code: 'invalid_option',
    option: 'input',
  })
})

it('the fetch writes a body of another type as text, as the standard has it', async () => {
  const world = await openWorld(text('x'))
  await world.safeFetch(URL_TEXT, { method: 'POST', body: 5 as never })
  expect(world.seen).toMatchObject([{ body: '5', headers: { 'content-type': 'text/plain;charset=UTF-8' } }])
})

it('a signal needs no more than the members every polyfill has', async () => {
  const world = await openWorld(text('x'))
  const signal = Object.assign(new EventTarget(), { aborted: true, reason: 'given up' })
  expect(await rejection(world.safeFetch(URL_TEXT, { signal: signal as never }))).toBe('given up')
  signal.aborted = false
  expect((await world.safeFetch.request(URL_TEXT, { signal: signal as never })).status).toBe(200)
})

it('what judges or parses a text gives an answer for anything', () => {
  for (const value of [undefined, null, 5, {}, [], Symbol('x')] as never[]) {
    expect(classifyAddress(value)).toMatchObject({ public: false, family: 0 })
    expect(parseRetryAfter(value, 0)).toBeNull()
  }
})

it.each([[null], [{}], [{ keys: [null] }], [{ keys: [] }]])(
  'a key directory of %j is refused',
  async (options) => {
    const request = new Request('https://agent.example/')
    expect(await rejection(handleKeyDirectory(request, options as never))).toMatchObject({
      code: 'invalid_option',
    })
  },
)

it.each([
  ['http://a.example/s?', 'http://a.example/s?'],
  ['http://a.example/s?#x?y', 'http://a.example/s?'],
  ['http://a.example?a=/b#', 'http://a.example/?a=/b'],
  ['http://a.example:80/%23//..//s', 'http://a.example/%23//s'],
])('%s is asked for as %s', async (url, asked) => {
  const world = await openWorld(text('fine'))
  await world.safeFetch.request(url)
  expect(world.seen.map((request) => request.url)).toEqual([asked])
})

it('an origin that was allowed lets nothing else of that origin pass', async () => {
  const world = await openWorld(text('fine'))
  expect(await world.safeFetch.request(URL_TEXT)).toMatchObject({ status: 200 })
  for (const url of [
    `blob:${URL_TEXT}`,
    'http://user:hunter2@a.example/',
    'ftp://a.example/',
    'http://a.local/',
  ]) {
    expect(await rejection(world.safeFetch.request(url))).toMatchObject({ code: 'blocked' })
  }
  expect(await world.safeFetch.request(URL_TEXT)).toMatchObject({ status: 200 })
})

function locked(): ReadableStream {
  const stream = new ReadableStream()
  stream.getReader()
  return stream
}

async function disturbed(): Promise<ReadableStream> {
  const stream = new ReadableStream({
    start(controller) {
      controller.enqueue(new Uint8Array(1))
    },
  })
  const reader = stream.getReader()
  await reader.read()
  reader.releaseLock()
  return stream
}
