import type { IncomingHttpHeaders } from 'node:http'
import { recordDials, scriptedLookup, startTlsServer } from '@internal/loopback'
import { Webhook } from 'standardwebhooks'
import { afterEach, describe, expect, it } from 'vitest'
import { createCallbackReceiver } from '../src/client.js'
import { createCallbackTransport } from '../src/node.js'
import type { CallbackTransport, ConciergeConfig } from '../src/server.js'
import type { Seen } from './bookshop.js'
import { type Desk, openDesk, READER, STAFF } from './desk.js'

/** Results that are posted, through the real guard, to an internet of scripted names. */

const SECRET = `whsec_${btoa('a secret of thirty-two characters')}`
const HOOK = 'https://agent.example/hook?for=1'

interface Delivery {
  readonly url: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

const ANY_TRANSPORT: CallbackTransport = {
  allows: () => Promise.resolve(true),
  post: () => Promise.resolve({ status: 204 }),
}

interface World extends AsyncDisposable {
  readonly desk: Desk
  readonly deliveries: readonly Delivery[]
  readonly dialled: readonly string[]
  /** Status codes to answer with, in order; then 204. */
  readonly statuses: number[]
  readonly ask: (url: string, members?: Readonly<Record<string, unknown>>) => Promise<Seen>
  /** Has a job done, whose result goes to the hook, and gives what a poll says. */
  readonly finish: (url?: string) => Promise<Seen>
}

const opened: AsyncDisposable[] = []
afterEach(async () => {
  for (const world of opened.splice(0).toReversed()) await world[Symbol.asyncDispose]()
})

async function open(
  names: Parameters<typeof scriptedLookup>[0] = { 'agent.example': ['93.184.216.34'] },
  overrides: Partial<ConciergeConfig> = {},
): Promise<World> {
  const deliveries: Delivery[] = []
  const statuses: number[] = []
  const server = await startTlsServer(Object.keys(names), (request, response) => {
    let body = ''
    request.setEncoding('utf8')
    request.on('data', (chunk: string) => (body += chunk))
    request.on('end', () => {
      deliveries.push({
        url: `https://${request.headers.host ?? ''}${request.url ?? ''}`,
        headers: request.headers,
        body,
      })
      const status = statuses.shift() ?? 204
      response.writeHead(status, status === 302 ? { location: 'https://other.example/' } : {}).end()
    })
  })
  const recorder = recordDials(({ port }) => (port === 443 ? server.port : port))
  const transport = createCallbackTransport({
    lookup: scriptedLookup(names),
    ca: server.ca,
    timeoutMs: 5_000,
  })
  const desk = await openDesk({ callbacks: { transport, secrets: () => [SECRET] }, ...overrides })

  const ask: World['ask'] = (url, members = {}) =>
    desk.ask(
      { capability: 'quote', query: 'x', context: { callback_url: url }, ...members },
      { headers: READER },
    )

  const world: World = {
    desk,
    deliveries,
    statuses,
    get dialled() {
      return recorder.dials.map(({ address }) => address)
    },
    ask,
    async finish(url = HOOK) {
      const arrival = desk.arrival()
      const { poll } = (await ask(url)).json as { poll: string }
      const { open: answer } = await arrival
      answer({ answer: 'It is 90.', output: { total: 90 } })
      const read = (): Promise<Seen> => desk.visit({ path: poll, headers: READER })
      await expect.poll(async () => ((await read()).json as { status: string }).status).toBe('success')
      return read()
    },
    async [Symbol.asyncDispose]() {
      recorder.restore()
      await desk.close()
      await transport.close()
      await server.close()
    },
  }
  opened.push(world)
  return world
}

describe('a callback', () => {
  it('R080: posts what a poll says, signed by Standard Webhooks', async () => {
    const { deliveries, finish, ask } = await open()
    expect((await ask(HOOK)).json).toMatchObject({
      status: 'accepted',
      callback: { method: 'POST', url: HOOK },
    })
    const polled = await finish()
    await expect.poll(() => deliveries.length).toBe(1)
    const [{ url, headers, body }] = deliveries as [Delivery]
    expect([url, headers['content-type'], body]).toEqual([HOOK, 'application/json', polled.text])
    const seconds = Number(headers['webhook-timestamp'])
    const signature = new Webhook(SECRET).sign(String(headers['webhook-id']), new Date(seconds * 1000), body)
    expect(headers['webhook-signature']).toBe(signature)
  })

  it('is taken by the receiver of the visiting agent', async () => {
    const { desk, deliveries, finish } = await open()
    const polled = (await finish()).json as { session_id: string }
    await expect.poll(() => deliveries.length).toBe(1)
    const [{ headers, body }] = deliveries as [Delivery]
    const seconds = Number(headers['webhook-timestamp'])
    const receiver = createCallbackReceiver({ url: HOOK, secrets: [SECRET], now: () => seconds * 1000 })
    const sent = new Request(HOOK, {
      method: 'POST',
      headers: Object.fromEntries(
        Object.entries(headers).filter(([name]) => name.startsWith('webhook')),
      ) as Record<string, string>,
      body,
    })
    expect((await receiver.handleRequest(sent)).status).toBe(204)
    expect((await receiver.result(polled.session_id)).response).toEqual(polled)
    expect(desk.faults).toEqual([])
  })

  it('CB-10 CB-11: is tried again after a while, with the same id and the same bytes', async () => {
    const { desk, deliveries, statuses, finish } = await open()
    statuses.push(500, 503)
    await finish()
    await expect.poll(() => deliveries.length).toBe(1)
    await expect.poll(() => desk.faults.length).toBe(1)
    await desk.concierge.runDueJobs()
    expect(deliveries).toHaveLength(1)
    desk.pass(15_000)
    await desk.concierge.runDueJobs()
    expect(deliveries).toHaveLength(2)
    desk.pass(90_000)
    await desk.concierge.runDueJobs()
    expect(deliveries).toHaveLength(3)
    expect(
      new Set(deliveries.map(({ headers, body }) => `${String(headers['webhook-id'])} ${body}`)).size,
    ).toBe(1)
    expect(deliveries.map(({ headers }) => headers['webhook-attempt'])).toEqual(['1', '2', '3'])
    desk.pass(600_000)
    await desk.concierge.runDueJobs()
    expect(deliveries).toHaveLength(3)
    expect(desk.faults.map(({ stage, error }) => [stage, (error as { code: string }).code])).toEqual([
      ['callback', 'callback_failed'],
      ['callback', 'callback_failed'],
    ])
  })

  it('leaves neither its URL nor its secret in the log, however it fails', async () => {
    let text = ''
    const write = (fields: unknown, message: string): void => {
      text += JSON.stringify([fields, message])
    }
    const hook = 'https://agent.example/hooks/T0kenInThePath?token=T0kenInTheQuery'
    const { desk, statuses, finish } = await open(undefined, {
      logger: { info: write, warn: write, error: write },
    })
    statuses.push(500, 302)
    await finish(hook)
    await expect.poll(() => desk.faults.length).toBe(1)
    desk.pass(15_000)
    await desk.concierge.runDueJobs()
    expect(desk.faults).toHaveLength(2)
    const own = await open(undefined, {
      callbacks: {
        transport: { ...ANY_TRANSPORT, post: (url) => Promise.reject(new Error(`${url} and ${SECRET}`)) },
        secrets: () => [SECRET],
      },
      logger: { info: write, warn: write, error: write },
    })
    await own.finish(hook)
    await expect.poll(() => own.desk.faults.length).toBe(1)
    expect(text).toContain('callback')
    for (const secret of ['T0kenInThePath', 'T0kenInTheQuery', SECRET.slice(6)])
      expect(text, secret).not.toContain(secret)
  })

  it.each([
    [0, 10_000],
    [255, 15_000],
  ])('is tried again after the delay and up to half as much more, by chance (%i)', async (byte, delayMs) => {
    const { desk, deliveries, statuses, finish } = await open(undefined, {
      random: (bytes) => bytes.fill(byte),
    })
    statuses.push(500)
    await finish()
    await expect.poll(() => desk.faults.length).toBe(1)
    desk.pass(delayMs - 1)
    await desk.concierge.runDueJobs()
    expect(deliveries).toHaveLength(1)
    desk.pass(1)
    await desk.concierge.runDueJobs()
    expect(deliveries).toHaveLength(2)
  })

  describe('to one receiver', () => {
    interface Posts {
      readonly desk: Desk
      readonly posted: readonly string[]
      readonly peak: () => number
      readonly answerNext: () => void
      readonly finishFor: (url: string, headers?: typeof READER) => Promise<void>
    }

    async function openPosts(limits: object, posts: 'at once' | 'when told'): Promise<Posts> {
      const posted: string[] = []
      const pending: (() => void)[] = []
      let underWay = 0
      let peak = 0
      const desk = await openDesk({
        callbacks: {
          transport: {
            allows: () => Promise.resolve(true),
            async post(url) {
              posted.push(url)
              peak = Math.max(peak, ++underWay)
              if (posts === 'when told') await new Promise<void>((resolve) => pending.push(resolve))
              underWay--
              return { status: 204 }
            },
          },
          secrets: () => [SECRET],
          ...limits,
        },
      })
      opened.push({ [Symbol.asyncDispose]: () => desk.close() })
      return {
        desk,
        posted,
        peak: () => peak,
        answerNext: () => pending.shift()?.(),
        async finishFor(url, headers = READER) {
          const arrival = desk.arrival()
          const body = { capability: 'quote', query: 'x', context: { callback_url: url } }
          await desk.ask(body, { headers })
          ;(await arrival).open({ answer: 'It is 90.', output: { total: 90 } })
        },
      }
    }

    it('only so many are under way at once, and none is lost', async () => {
      const { desk, posted, peak, answerNext, finishFor } = await openPosts(
        { maxConcurrentPerReceiver: 2 },
        'when told',
      )
      for (let number = 0; number < 5; number++) await finishFor(`https://agent.example/${number}`)
      await expect.poll(() => posted.length).toBe(2)
      await expect
        .poll(() => {
          answerNext()
          desk.pass(5_000)
          void desk.concierge.runDueJobs()
          return posted.length
        })
        .toBe(5)
      expect([posted.toSorted(), peak()]).toEqual([
        [0, 1, 2, 3, 4].map((number) => `https://agent.example/${number}`),
        2,
      ])
    })

    it('only so many go in a minute, of which no attempt is lost', async () => {
      const { desk, posted, finishFor } = await openPosts({ maxPerReceiverPerMinute: 2 }, 'at once')
      for (let number = 0; number < 3; number++) await finishFor(`https://agent.example/${number}`)
      await expect.poll(() => posted.length).toBe(2)
      desk.pass(59_000)
      await desk.concierge.runDueJobs()
      expect(posted).toHaveLength(2)
      desk.pass(61_000)
      await desk.concierge.runDueJobs()
      expect(posted).toHaveLength(3)
    })

    it('is one host, whoever hands it in', async () => {
      const { posted, finishFor } = await openPosts({ maxPerReceiverPerMinute: 2 }, 'at once')
      for (const headers of [READER, STAFF, READER, STAFF]) await finishFor(HOOK, headers)
      await expect.poll(() => posted.length).toBe(2)
    })

    it('is one principal, however many names it hands in', async () => {
      const { posted, finishFor } = await openPosts({ maxPerReceiverPerMinute: 2 }, 'at once')
      for (let number = 0; number < 4; number++) await finishFor(`https://victim-${number}.example/`)
      await expect.poll(() => posted.length).toBe(2)
    })
  })

  it('is told to an observer, as often as it is tried', async () => {
    const outcomes: string[] = []
    const { desk, statuses, finish } = await open(undefined, {
      observe: (event) => event.type === 'callback' && outcomes.push(event.outcome),
    })
    statuses.push(500)
    const { session_id: id } = (await finish()).json as { session_id: string }
    await expect.poll(() => outcomes).toEqual(['failed'])
    desk.pass(15_000)
    await desk.concierge.runDueJobs()
    expect(outcomes).toEqual(['failed', 'delivered'])
    statuses.push(500, 500, 500)
    expect(await desk.concierge.redeliver(id)).toBe(true)
    for (const delayMs of [0, 15_000, 90_000]) {
      desk.pass(delayMs)
      await desk.concierge.runDueJobs()
    }
    expect(outcomes.slice(2)).toEqual(['failed', 'failed', 'given_up'])
  })

  it('CB-12: is sent again when the site says so', async () => {
    const { desk, deliveries, statuses, finish } = await open(undefined, {})
    statuses.push(500, 500, 500)
    const { session_id: id } = (await finish()).json as { session_id: string }
    await expect.poll(() => desk.faults.length).toBe(1)
    for (const delayMs of [15_000, 90_000]) {
      desk.pass(delayMs)
      await desk.concierge.runDueJobs()
    }
    expect(deliveries).toHaveLength(3)
    expect(await desk.concierge.redeliver(id)).toBe(true)
    await desk.concierge.runDueJobs()
    expect(deliveries.map(({ headers }) => headers['webhook-attempt'])).toEqual(['1', '2', '3', '1'])
    expect(await desk.concierge.redeliver('none')).toBe(false)
  })

  it('H4 CB-03 CB-04: does not follow a redirect, which is a failure', async () => {
    const { desk, deliveries, statuses, finish } = await open({
      'agent.example': ['93.184.216.34'],
      'other.example': ['93.184.216.35'],
    })
    statuses.push(302)
    await finish()
    await expect.poll(() => desk.faults.length).toBe(1)
    expect(deliveries.map(({ url }) => url)).toEqual([HOOK])
    expect(desk.faults[0]).toMatchObject({ error: { code: 'callback_failed', status: 302 } })
  })

  it('H4 CB-02 R117: is judged again at delivery, when its name leads elsewhere by then', async () => {
    const { desk, deliveries, dialled, finish } = await open({
      'agent.example': [['93.184.216.34'], ['127.0.0.1']],
    })
    await finish()
    await expect.poll(() => desk.faults.length).toBe(1)
    expect([deliveries, dialled.filter((address) => address !== '127.0.0.1')]).toEqual([[], []])
    expect(desk.faults[0]).toMatchObject({ stage: 'callback', error: { code: 'blocked' } })
  })

  it.each([
    'http://agent.example/hook',
    'https://127.0.0.1/hook',
    'https://[::ffff:7f00:1]/hook',
    'https://2130706433/',
    'https://0x7f.1/',
    'https://169.254.169.254/latest/meta-data',
    'https://[fd00::1]/',
    'https://100.64.0.1/',
    'https://localhost/',
    'https://printer.local/',
    'https://private.example/',
    'https://mixed.example/',
    'https://unknown.example/',
    'https://agent.example:8443/hook',
    'https://agent.example:22/',
    'https://user:secret@agent.example/',
    'https://a%0d%0aX-Evil:1@agent.example/',
    'https://a\r\nX-Evil: 1@agent.example/',
    'https://agent.example/hook\r\nX-Evil: 1',
    'https://agent.example/\tho\nok',
    ' https://agent.example/hook',
    'https:\\\\agent.example\\hook',
    'ftp://agent.example/',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'data:text/plain,x',
    'gopher://agent.example/',
    '//agent.example/hook',
    'hook',
    `https://agent.example/${'x'.repeat(3_000)}`,
  ])('H4 CB-02 R117: to %j is refused at once', async (url) => {
    const { desk, ask, dialled } = await open({
      'agent.example': ['93.184.216.34'],
      'private.example': ['10.0.0.1'],
      'mixed.example': ['93.184.216.34', '10.0.0.1'],
    })
    const { status, json } = await ask(url)
    expect([status, (json as { code: string }).code]).toEqual([400, 'invalid_request'])
    expect((json as { message: string }).message).not.toMatch(/10\.0\.0\.1|93\.184/)
    expect(desk.waiting).toEqual([])
    expect(dialled.filter((address) => address !== '127.0.0.1')).toEqual([])
  })

  it('is refused where the site posts nothing, has no secret with the caller, or does not know it', async () => {
    const plain = await openDesk()
    const asked = { capability: 'quote', query: 'x', context: { callback_url: HOOK } }
    expect((await plain.ask(asked, { headers: READER })).status).toBe(400)
    await plain.close()
    const transport = ANY_TRANSPORT
    const { desk } = await open(undefined, { callbacks: { transport, secrets: () => [] } })
    expect((await desk.ask(asked, { headers: READER })).status).toBe(400)
    const { desk: other } = await open()
    expect((await other.ask({ ...asked, capability: 'study' })).status).toBe(400)
  })

  it('is not sent to whom has the answer already, and nothing is asked of it for what is answered at once', async () => {
    const { desk, deliveries, ask } = await open()
    const done = await ask(HOOK, { capability: 'order_state', query: '{"order_id":"ORD-1"}' })
    expect((done.json as { status: string }).status).toBe('success')
    await desk.concierge.runDueJobs()
    expect(deliveries).toEqual([])
  })

  it('that was promised is sent, though somebody who asked again waits for the answer', async () => {
    let finish: (outcome: { answer: string }) => void = () => undefined
    const { desk, deliveries } = await open(undefined, {
      capabilities: {
        study: {
          description: 'Reads.',
          mode: 'MODE2',
          acceptAfterMs: 300,
          answer: () => new Promise((resolve) => (finish = resolve)),
        },
      },
    })
    const visit = { headers: { ...READER, 'idempotency-key': 'once' } }
    const body = { capability: 'study', query: 'x', context: { callback_url: HOOK } }
    expect((await desk.ask(body, visit)).json).toMatchObject({ status: 'accepted', callback: { url: HOOK } })
    const again = desk.ask(body, visit)
    // Another request takes as long to be read as that one.
    await desk.ask({ capability: 'study', query: '' }, visit)
    finish({ answer: 'Read.' })
    await again
    await expect.poll(() => deliveries.length).toBe(1)
  })

  it('is signed with every secret while one replaces another', async () => {
    const secrets = [SECRET, `whsec_${btoa('another secret of thirty-two chars')}`]
    const transport = {
      allows: () => Promise.resolve(true),
      post: (_url: string, delivery: { headers: Readonly<Record<string, string>> }) => (
        sent.push(delivery.headers),
        Promise.resolve({ status: 204 })
      ),
    }
    const sent: Readonly<Record<string, string>>[] = []
    const { finish } = await open(undefined, { callbacks: { transport, secrets: () => secrets } })
    await finish()
    await expect.poll(() => sent.length).toBe(1)
    expect(sent[0]?.['webhook-signature']).toMatch(/^v1,\S+ v1,\S+$/)
  })

  it.each([
    ['transport', { secrets: () => [] }],
    ['secrets', { transport: ANY_TRANSPORT }],
    ['retryDelaysMs', { retryDelaysMs: [0], secrets: () => [], transport: ANY_TRANSPORT }],
    ['maxConcurrent', { maxConcurrent: 0.5, secrets: () => [], transport: ANY_TRANSPORT }],
    [
      'maxConcurrentPerReceiver',
      { maxConcurrentPerReceiver: 0, secrets: () => [], transport: ANY_TRANSPORT },
    ],
    ['maxPerReceiverPerMinute', { maxPerReceiverPerMinute: -1, secrets: () => [], transport: ANY_TRANSPORT }],
  ])('checks its option %s', async (option, callbacks) => {
    await expect(
      openDesk({ callbacks: callbacks as unknown as NonNullable<ConciergeConfig['callbacks']> }),
    ).rejects.toMatchObject({
      code: 'invalid_option',
      option: `callbacks.${option}`,
    })
  })
})
