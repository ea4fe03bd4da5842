import { expect, it } from 'vitest'
import { discover, type FetchLike } from '../src/index.js'

const ORIGIN = 'https://a.example'

function settled(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => 'a manifest',
    (error: unknown) => error,
  )
}

it('follows no redirect from https to http (CLI-028)', async () => {
  const asked: string[] = []
  const fetch: FetchLike = (url) => {
    asked.push(url)
    return Promise.resolve(new Response(null, { status: 302, headers: { location: 'http://a.example/m' } }))
  }
  expect(await settled(discover(ORIGIN, { fetch }))).toMatchObject({ code: 'blocked_url' })
  expect(asked).toEqual([`${ORIGIN}/.well-known/ai-manifest.json`])
})

const never = new Promise<never>(() => undefined)
const endless = (): Response =>
  new Response(new ReadableStream({ pull: () => never }), { headers: { 'content-type': 'application/json' } })

it.each([
  ['never answers', () => never],
  ['never ends a body', () => Promise.resolve(endless())],
] as [string, FetchLike][])(
  'bounds the time of a fetch that %s and is deaf to its signal',
  async (_, fetch) => {
    expect(await settled(discover(ORIGIN, { fetch, timeoutMs: 20 }))).toMatchObject({ code: 'timeout' })
    const controller = new AbortController()
    const reading = settled(discover(ORIGIN, { fetch, signal: controller.signal }))
    controller.abort('enough')
    expect(await reading).toBe('enough')
  },
)

it('goes no further for a deaf fetch that comes too late', async () => {
  let answer = (_response: Response): void => undefined
  let asked = 0
  const fetch: FetchLike = () => {
    asked++
    return new Promise((resolve) => {
      answer = resolve
    })
  }
  expect(await settled(discover(ORIGIN, { fetch, timeoutMs: 20 }))).toMatchObject({ code: 'timeout' })
  answer(new Response(null, { status: 302, headers: { location: '/elsewhere' } }))
  await new Promise(setImmediate)
  expect(asked).toBe(1)
})

it('tells the fetch when its answer is not wanted any more', async () => {
  let told: unknown
  const fetch: FetchLike = (_url, { signal }) =>
    new Promise((_resolve, reject) => {
      signal?.addEventListener('abort', () => {
        told = true
        reject(new Error('aborted'))
      })
    })
  expect(await settled(discover(ORIGIN, { fetch, timeoutMs: 20 }))).toMatchObject({ code: 'timeout' })
  expect(told).toBe(true)
})
