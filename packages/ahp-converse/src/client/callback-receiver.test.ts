import { Webhook } from 'standardwebhooks'
import { describe, expect, it } from 'vitest'
import {
  createCallbackReceiver,
  type CallbackReceiver,
  type CallbackReceiverOptions,
} from './callback-receiver.js'

const SECRET = `whsec_${btoa('a secret of thirty-two characters')}`
const OTHER = `whsec_${btoa('another secret of the same length')}`
const NOW_MS = Date.UTC(2026, 0, 2)

const RESULT = { status: 'success', session_id: 'job-1', response: { answer: 'Yes.' } }

interface Delivery {
  readonly id?: string
  readonly secret?: string
  readonly timeMs?: number
  readonly body?: string
  readonly headers?: Readonly<Record<string, string>>
}

function delivery({ id = 'msg-1', secret = SECRET, timeMs = NOW_MS, body, headers }: Delivery = {}): Request {
  const text = body ?? JSON.stringify(RESULT)
  return new Request('https://agent.test/callback', {
    method: 'POST',
    body: text,
    headers: {
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor(timeMs / 1_000)),
      'webhook-signature': new Webhook(secret).sign(id, new Date(timeMs), text),
      ...headers,
    },
  })
}

function receiver(options: Partial<CallbackReceiverOptions> = {}): CallbackReceiver {
  return createCallbackReceiver({
    url: 'https://agent.test/callback',
    secrets: [SECRET],
    now: () => NOW_MS,
    ...options,
  })
}

async function statusOf(taker: CallbackReceiver, request: Request): Promise<number> {
  return (await taker.handleRequest(request)).status
}

describe('a genuine delivery', () => {
  it('is given to whoever waits for it, also if it came first', async () => {
    const taker = receiver()
    const waiting = taker.result('job-1')
    expect(await statusOf(taker, delivery())).toBe(204)
    expect(await waiting).toMatchObject({ response: RESULT })
    const second = { ...RESULT, session_id: 'job-2' }
    expect(await statusOf(taker, delivery({ id: 'msg-2', body: JSON.stringify(second) }))).toBe(204)
    expect(await taker.result('job-2')).toMatchObject({ response: second })
  })

  it('is verified by the bytes that were signed (CB-08)', async () => {
    const body = '\ufeff{"status":"success","session_id":"job-1","response":{"answer":"\\u00e9","n":1.0}}'
    expect(await statusOf(receiver(), delivery({ body }))).toBe(204)
    for (const respelled of [body.slice(1), JSON.stringify(JSON.parse(body.slice(1)))])
      expect(await statusOf(receiver(), new Request(delivery({ body }), { body: respelled }))).toBe(401)
  })

  it('may be signed with any of the secrets, among other signatures', async () => {
    const taker = receiver({ secrets: [OTHER, SECRET] })
    expect(await statusOf(taker, delivery({ id: 'a' }))).toBe(204)
    expect(await statusOf(taker, delivery({ id: 'b', secret: OTHER }))).toBe(204)
    const signed = delivery({ id: 'c' }).headers.get('webhook-signature') ?? ''
    expect(
      await statusOf(taker, delivery({ id: 'c', headers: { 'webhook-signature': `v1,xx v2,yy ${signed}` } })),
    ).toBe(204)
  })

  it('is taken once, and a repetition is confirmed (CB-10, CB-11)', async () => {
    const taker = receiver()
    expect(await statusOf(taker, delivery())).toBe(204)
    await taker.result('job-1')
    expect(await statusOf(taker, delivery())).toBe(204)
    expect(await statusOf(taker, delivery({ timeMs: NOW_MS + 1_000 }))).toBe(204)
    const controller = new AbortController()
    const again = taker.result('job-1', { signal: controller.signal })
    controller.abort(new Error('nothing'))
    await expect(again).rejects.toThrow('nothing')
  })

  it('of work that has not ended is no result', async () => {
    const taker = receiver({ maxKeptResults: 1 })
    await taker.handleRequest(delivery({ body: JSON.stringify({ status: 'pending', session_id: 'job-1' }) }))
    const waiting = taker.result('job-1')
    await taker.handleRequest(delivery({ id: 'msg-2' }))
    expect(await waiting).toMatchObject({ response: { status: 'success' } })
  })
})

describe('a delivery is refused', () => {
  it.each<readonly [string, Request]>([
    ['with the signature of somebody else', delivery({ secret: OTHER })],
    ['when it is late', delivery({ timeMs: NOW_MS - 301_000 })],
    ['when it comes from the future', delivery({ timeMs: NOW_MS + 301_000 })],
    ['with another id than was signed', delivery({ headers: { 'webhook-id': 'msg-9' } })],
    [
      'with another time than was signed',
      delivery({ headers: { 'webhook-timestamp': String(NOW_MS / 1_000 + 1) } }),
    ],
    ['with no time', delivery({ headers: { 'webhook-timestamp': 'soon' } })],
    ['with a negative time', delivery({ headers: { 'webhook-timestamp': '-1' } })],
    ['with a very long id', delivery({ id: 'x'.repeat(257) })],
    ['with another body than was signed', new Request(delivery(), { body: '{}' })],
    ...[
      '',
      'v1',
      'v1,',
      'sha256=',
      'éé',
      'v1,é',
      'a'.repeat(63),
      `v1,${'a'.repeat(63)}`,
      `v2,${'a'.repeat(44)}`,
      'v1,'.repeat(5_000),
    ].map(
      (signature) =>
        [
          `with the signature ${JSON.stringify(signature.slice(0, 20))} (CB-09)`,
          delivery({ headers: { 'webhook-signature': signature } }),
        ] as const,
    ),
  ])('%s', async (_, request) => {
    expect(await statusOf(receiver(), request)).toBe(401)
  })

  it('without header fields', async () => {
    const request = new Request('https://agent.test/callback', {
      method: 'POST',
      body: JSON.stringify(RESULT),
    })
    expect(await statusOf(receiver(), request)).toBe(401)
  })

  it('with bytes that are no text', async () => {
    const request = new Request(delivery(), { body: new Uint8Array([0xff]) })
    expect(await statusOf(receiver(), request)).toBe(401)
  })

  it('when it is too large, not JSON, no result or not posted', async () => {
    expect(await statusOf(receiver({ maxBodyBytes: 10 }), delivery())).toBe(413)
    expect(await statusOf(receiver(), delivery({ body: '<p>' }))).toBe(400)
    expect(await statusOf(receiver(), delivery({ body: '{"status":"maybe"}' }))).toBe(400)
    const got = await receiver().handleRequest(new Request('https://agent.test/callback'))
    expect([got.status, got.headers.get('allow')]).toEqual([405, 'POST'])
  })

  it('is refused where its body was read before or breaks off', async () => {
    const read = delivery()
    await read.text()
    expect(await statusOf(receiver(), read)).toBe(400)
    const { headers } = delivery()
    const body = new ReadableStream({
      pull: (stream) => {
        stream.error(new TypeError('terminated'))
      },
    })
    const broken = new Request('https://agent.test/callback', {
      method: 'POST',
      headers,
      body,
      duplex: 'half',
    })
    expect(await statusOf(receiver(), broken)).toBe(400)
  })
})

it('remembers so many ids, and then refuses what it could not tell from a repetition', async () => {
  const taker = receiver({ maxRememberedIds: 2 })
  const at = (id: string, seconds: number): Request => delivery({ id, timeMs: NOW_MS + seconds * 1_000 })
  for (const [id, seconds] of [
    ['a', 1],
    ['b', 2],
    ['c', 3],
  ] as const)
    expect(await statusOf(taker, at(id, seconds))).toBe(204)
  expect(await statusOf(taker, at('a', 1))).toBe(401)
  expect(await statusOf(taker, at('new', 1))).toBe(401)
  expect(await statusOf(taker, at('d', 4))).toBe(204)
})

it('forgets ids when their time is over, without refusing anything', async () => {
  let nowMs = NOW_MS
  const taker = receiver({ maxRememberedIds: 2, now: () => nowMs })
  for (const id of ['a', 'b', 'c', 'd']) {
    expect(await statusOf(taker, delivery({ id, timeMs: nowMs }))).toBe(204)
    nowMs += 200_000
  }
  expect(await statusOf(taker, delivery({ id: 'e', timeMs: nowMs - 300_000 }))).toBe(204)
})

it('keeps so many results that nobody asks for', async () => {
  const taker = receiver({ maxKeptResults: 2 })
  for (const id of ['a', 'b', 'c'])
    await taker.handleRequest(delivery({ id, body: JSON.stringify({ ...RESULT, session_id: id }) }))
  expect(await taker.result('b')).toMatchObject({ response: { session_id: 'b' } })
  const controller = new AbortController()
  const gone = taker.result('a', { signal: controller.signal })
  controller.abort(new Error('dropped'))
  await expect(gone).rejects.toThrow('dropped')
})

it.each<readonly [object, string]>([
  [{ url: '/callback' }, 'url'],
  [{ url: 'ftp://a.test' }, 'url'],
  [{ secrets: [] }, 'secrets'],
  [{ secrets: ['SECRET!'] }, 'secrets'],
  [{ secrets: [''] }, 'secrets'],
  [{ toleranceSeconds: 0 }, 'toleranceSeconds'],
  [{ maxBodyBytes: NaN }, 'maxBodyBytes'],
  [{ secret: 'x' }, 'secret'],
])('refuses the options %j', (options, option) => {
  expect(() => receiver(options)).toThrow(
    expect.objectContaining({ code: 'invalid_option', option }) as Error,
  )
  expect(() => receiver(options)).not.toThrow('SECRET!')
})
