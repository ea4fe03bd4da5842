import { describe, expect, it } from 'vitest'
import type { PendingState } from '../../src/client.js'
import { ScriptedSite, bookShop, having, refusal, success } from './scripted-site.js'

const QUESTION = {
  body: {
    status: 'clarification_needed',
    session_id: 's-7',
    clarification: { question: 'The book or the film?', options: ['book', 'film'], free_form: false },
  },
}

function accepted(more: object = {}): { readonly body: object } {
  return { body: { status: 'accepted', session_id: 'job-1', poll: '/status/job-1', eta_seconds: 5, ...more } }
}

function pending(more: object = {}): { readonly body: object } {
  return { body: { status: 'pending', session_id: 'job-1', ...more } }
}

describe('an answer', () => {
  it('has its text, sources with absolute URLs, suggestions, signals and limits', async () => {
    await using site = await ScriptedSite.start(bookShop())
    site.onAsk({
      headers: {
        'x-ratelimit-limit': '30',
        'x-ratelimit-remaining': '29',
        'x-ratelimit-reset': '1767312060',
        'x-ratelimit-window': '60',
      },
      ...success(
        'Three reviews.',
        { meta: { mode: 'MODE2', cached: true, tools_used: ['index'] } },
        {
          sources: [
            { title: 'Dune', url: '/reviews/dune#worms', relevance: 'direct' },
            { url: 'https://other.test/' },
          ],
          follow_up: { suggested_queries: ['And the sequels?'] },
        },
      ),
    })
    const reply = having('success', await (await site.visit()).ask(undefined, 'sandworms'))
    expect(reply).toMatchObject({
      answer: 'Three reviews.',
      contentType: 'text/answer',
      sources: [
        { title: 'Dune', url: `${site.origin}/reviews/dune#worms`, relevance: 'direct' },
        { title: undefined, url: 'https://other.test/' },
      ],
      suggestedQueries: ['And the sequels?'],
      meta: { cached: true },
      rateLimit: { limit: 30, remaining: 29, resetUnixSeconds: 1_767_312_060, windowSeconds: 60 },
      warnings: [],
    })
    expect(reply.session.id).toBe('s-1')
  })

  it('has a payload only where that is of its type', async () => {
    await using site = await ScriptedSite.start(bookShop())
    site.onAsk(
      success(
        'A cover.',
        {},
        { content_type: 'media/image', payload: { images: [{ url: '/a.png', alt: 'A cover' }] } },
      ),
      success('A cover.', {}, { content_type: 'media/image', payload: { images: [{ url: '/a.png' }] } }),
      success('A seat.', {}, { content_type: 'x-theatre/seat', payload: { row: 7 } }),
    )
    const visited = await site.visit()
    const [right, wrong, extension] = [
      having('success', await visited.ask('book_search', 'cover')),
      having('success', await visited.ask('book_search', 'cover')),
      having('success', await visited.ask('book_search', 'seat')),
    ]
    expect(right.contentType === 'media/image' && right.payload.images[0]?.alt).toBe('A cover')
    expect(wrong).toMatchObject({ contentType: 'text/answer', answer: 'A cover.', payload: undefined })
    expect(wrong.warnings).toContainEqual(expect.objectContaining({ path: '/response/payload/images/0/alt' }))
    expect(extension).toMatchObject({ contentType: 'x-theatre/seat', payload: { row: 7 } })
  })
})

describe('a capability that is not named', () => {
  it.each([
    ['When are you open on Sunday?', 'opening_hours'],
    ['reviews by the author Herbert', 'book_search'],
    ['Orders a book: Orders, orders', 'book_search'],
    ['xyzzy', 'book_search'],
  ])('for %j is %s', async (query, expected) => {
    await using site = await ScriptedSite.start(bookShop())
    site.onAsk(success('Yes.'))
    await (await site.visit()).ask(undefined, query)
    expect(site.asked[0]?.json).toMatchObject({ capability: expected })
  })

  it('is one that answers in an accepted type', async () => {
    await using site = await ScriptedSite.start(bookShop())
    site.onAsk(success('Yes.'))
    await (await site.visit()).ask(undefined, 'reviews', { acceptTypes: ['application/data'] })
    expect(site.asked[0]?.json).toMatchObject({ capability: 'opening_hours' })
  })

  it('is never one that acts', async () => {
    const [, , order] = (bookShop() as { capabilities: object[] }).capabilities
    await using site = await ScriptedSite.start(bookShop({ capabilities: [order] }))
    await expect((await site.visit()).ask(undefined, 'Order a book')).rejects.toMatchObject({
      code: 'no_capability',
      message: expect.stringContaining('order_book') as string,
    })
  })

  it.each(['constructor', '__proto__', 'nothing_like_it'])('must exist if it is named: %s', async (name) => {
    await using site = await ScriptedSite.start(bookShop())
    await expect((await site.visit()).ask(name, 'x')).rejects.toMatchObject({ code: 'no_capability' })
    expect(site.asked).toEqual([])
  })
})

describe('a session', () => {
  it('sends its turns one after the other, with the id that the site gave', async () => {
    await using site = await ScriptedSite.start(bookShop())
    site.onAsk(async ({ json }) => {
      await new Promise((resolve) => setTimeout(resolve, 20))
      return success(String(json['query']))
    })
    const session = (await site.visit()).session()
    const replies = await Promise.all(
      ['one', 'two', 'three'].map((query) => session.ask('book_search', query)),
    )
    expect(replies).toMatchObject([{ answer: 'one' }, { answer: 'two' }, { answer: 'three' }])
    expect(site.asked.map(({ json }) => json['session_id'])).toEqual([undefined, 's-1', 's-1'])
  })

  it('goes on after a turn that failed, and with an id kept from before', async () => {
    await using site = await ScriptedSite.start(bookShop())
    site.onAsk({ status: 502, body: 'bad gateway' }, success('Yes.'))
    const session = (await site.visit()).session('kept')
    await expect(session.ask('book_search', 'one')).rejects.toMatchObject({
      code: 'http_status',
      status: 502,
    })
    expect(await session.ask('book_search', 'two')).toMatchObject({ status: 'success' })
    expect(site.asked.map(({ json }) => json['session_id'])).toEqual(['kept', 'kept'])
  })

  it('belongs to its site', async () => {
    await using site = await ScriptedSite.start(bookShop())
    await using other = await ScriptedSite.start(bookShop())
    const session = (await other.visit()).session()
    await expect((await site.visit()).ask('book_search', 'x', { session })).rejects.toMatchObject({
      option: 'session',
    })
  })

  it.each(['session', 'session_tokens'])(
    'that has used up its %s is told apart from a limit that passes',
    async (scope) => {
      await using site = await ScriptedSite.start(bookShop())
      site.onAsk(
        refusal(429, 'rate_limited', { scope, retry_after: null }, { 'retry-after': '1' }),
        success('Yes.'),
      )
      const visited = await site.visit()
      expect(await visited.ask('book_search', 'x')).toMatchObject({
        status: 'error',
        code: 'rate_limited',
        scope,
      })
      expect(site.asked).toHaveLength(1)
      expect(await visited.ask('book_search', 'x')).toMatchObject({ status: 'success' })
    },
  )
})

describe('a question back', () => {
  it('is answered in its session, with the first query', async () => {
    await using site = await ScriptedSite.start(bookShop())
    site.onAsk(QUESTION, success('The book.', { session_id: 's-7' }))
    const reply = having('clarification_needed', await (await site.visit()).ask('book_search', 'Dune'))
    expect(reply).toMatchObject({
      question: 'The book or the film?',
      options: ['book', 'film'],
      freeForm: false,
    })
    expect(await reply.reply('book')).toMatchObject({ status: 'success', answer: 'The book.' })
    expect(site.asked[1]?.json).toMatchObject({
      capability: 'book_search',
      query: 'Dune',
      session_id: 's-7',
      clarification: 'book',
    })
  })

  it('may come in the forms that sites use, and more than once', async () => {
    await using site = await ScriptedSite.start(bookShop())
    site.onAsk(
      { body: { status: 'clarification_needed', session_id: 's', response: { question: 'Which?' } } },
      QUESTION,
      success('So.'),
    )
    const first = having('clarification_needed', await (await site.visit()).ask('book_search', 'Dune'))
    expect(first).toMatchObject({ question: 'Which?', options: [], freeForm: true })
    const second = having('clarification_needed', await first.reply('that'))
    expect(await second.reply('film')).toMatchObject({ status: 'success' })
    await expect(first.reply('x'.repeat(1_025))).rejects.toMatchObject({
      code: 'invalid_option',
      option: 'text',
    })
  })
})

describe('a credential', () => {
  it('goes with actions, and after a 401 with whatever needed it', async () => {
    await using site = await ScriptedSite.start(bookShop())
    site.onAsk(({ json, headers }) =>
      json['capability'] !== 'opening_hours' && headers['authorization'] !== 'Bearer s3cret'
        ? refusal(401, 'auth_required', {}, { 'www-authenticate': 'Bearer' })
        : success('Yes.'),
    )
    const visited = await site.visit({ credential: () => Promise.resolve('s3cret') })
    await visited.ask('opening_hours', 'x')
    await visited.ask('order_book', 'x')
    await visited.ask('book_search', 'x')
    await visited.ask('book_search', 'x')
    expect(site.asked.map(({ json, headers }) => [json['capability'], headers['authorization']])).toEqual([
      ['opening_hours', undefined],
      ['order_book', 'Bearer s3cret'],
      ['book_search', undefined],
      ['book_search', 'Bearer s3cret'],
      ['book_search', 'Bearer s3cret'],
    ])
  })

  it('stays with its session, and goes with everything if told so', async () => {
    await using site = await ScriptedSite.start(bookShop({ authentication: 'api_key' }))
    site.onAsk(success('Yes.'))
    const visited = await site.visit({ credential: 'key' })
    const session = visited.session()
    await session.ask('order_book', 'x')
    await session.ask('opening_hours', 'x')
    await visited.ask('opening_hours', 'x')
    await (await site.visit({ credential: 'key', sendCredential: 'always' })).ask('opening_hours', 'x')
    expect(site.asked.map(({ headers }) => headers['x-ahp-key'])).toEqual(['key', 'key', undefined, 'key'])
  })

  it('is what a site misses where none is given', async () => {
    await using site = await ScriptedSite.start(bookShop())
    site.onAsk(refusal(401, 'auth_required'))
    const reply = await (await site.visit()).ask('order_book', 'x')
    expect(reply).toMatchObject({ status: 'error', code: 'auth_required', httpStatus: 401 })
    expect(site.asked).toHaveLength(1)
  })

  it('is not sent as a signed request, which nobody has defined', async () => {
    await using site = await ScriptedSite.start(bookShop({ authentication: 'signed_request' }))
    await expect((await site.visit({ credential: 'x' })).ask('order_book', 'x')).rejects.toMatchObject({
      code: 'unsupported_authentication',
    })
    expect(site.asked).toEqual([])
  })
})

describe('an action', () => {
  it('carries a key, the same for each attempt and another for each question', async () => {
    await using site = await ScriptedSite.start(bookShop())
    site.onAsk({ status: 503, headers: { 'retry-after': '2' }, body: {} }, success('Ordered.'))
    const visited = await site.visit()
    await visited.ask('order_book', 'x', { input: { isbn: '1' } })
    await visited.ask('order_book', 'x', { idempotencyKey: 'mine' })
    await visited.ask('book_search', 'x')
    const [first, again, second, question] = site.asked.map(({ headers }) => headers['idempotency-key'])
    expect(first).toMatch(/^[\w-]{36}$/)
    expect([again, second, question]).toEqual([first, 'mine', undefined])
    expect(site.asked[0]?.json).toMatchObject({ query: '{"isbn":"1"}', context: { user_intent: 'x' } })
    expect(site.clock.slept).toEqual([2_000])
  })
})

describe('accepted work', () => {
  it('is not waited for longer because the site puts off each poll', async () => {
    await using site = await ScriptedSite.start(bookShop())
    site.onAsk(accepted()).on('/status/job-1', { status: 429, headers: { 'retry-after': '30' }, body: {} })
    const sleep = (delayMs: number, signal: AbortSignal | undefined): Promise<void> =>
      delayMs <= 1
        ? Promise.resolve()
        : new Promise((_, reject) => {
            signal?.addEventListener('abort', () => {
              reject(signal.reason as Error)
            })
          })
    const visited = await site.visit({ sleep, timeoutMs: 500 })
    const reply = having('accepted', await visited.ask('ask_a_person', 'x'))
    await expect(reply.wait({ timeoutMs: 1 })).rejects.toMatchObject({ code: 'wait_timeout' })
  })

  it('is polled, no sooner than its time and less and less often, until it has ended', async () => {
    await using site = await ScriptedSite.start(bookShop())
    site.onAsk(accepted())
    site.on(
      '/status/job-1',
      pending({ progress: 'claimed', eta_seconds: 3 }),
      pending(),
      pending(),
      success('Yes.'),
    )
    const visited = await site.visit({ credential: 'token' })
    const reply = having('accepted', await visited.ask('ask_a_person', 'Is it good?'))
    expect(reply).toMatchObject({ jobId: 'job-1', etaSeconds: 5 })
    const states: PendingState[] = []
    const result = await reply.wait({ onPending: (state) => states.push(state) })
    expect(result).toMatchObject({ status: 'success', answer: 'Yes.' })
    expect(site.clock.slept).toEqual([5_000, 3_000, 2_250, 3_375])
    expect(states[0]).toEqual({ progress: 'claimed', etaSeconds: 3 })
    expect(site.requests.at(-1)).toMatchObject({ method: 'GET', headers: { authorization: 'Bearer token' } })
  })

  it.each([
    [
      { body: { status: 'failed', session_id: 'job-1', message: 'No.' } },
      { status: 'failed', message: 'No.' },
    ],
    [
      { status: 410, body: { status: 'expired', session_id: 'job-1' } },
      { status: 'expired', message: '' },
    ],
    [refusal(404, 'invalid_request'), { status: 'error', httpStatus: 404 }],
  ])('may end otherwise %#', async (ended, expected) => {
    await using site = await ScriptedSite.start(bookShop())
    site.onAsk(accepted()).on('/status/job-1', { body: { status: 'active', session_id: 'job-1' } }, ended)
    const reply = having('accepted', await (await site.visit()).ask('ask_a_person', 'x'))
    expect(await reply.wait()).toMatchObject(expected)
  })

  it('is waited for within bounds', async () => {
    await using site = await ScriptedSite.start(bookShop())
    site.onAsk(accepted({ eta_seconds: -5 })).on('/status/job-1', pending({ eta_seconds: 1e9 }))
    const reply = having('accepted', await (await site.visit()).ask('ask_a_person', 'x'))
    expect(reply.etaSeconds).toBeUndefined()
    await expect(reply.wait({ timeoutMs: 100_000 })).rejects.toMatchObject({ code: 'wait_timeout' })
    expect(site.clock.slept).toEqual([1_000, 30_000, 30_000, 30_000, 9_000])
    await expect(reply.wait({ maxPolls: 3, maxPollMs: 1_000 })).rejects.toMatchObject({
      code: 'wait_timeout',
    })
    await expect(reply.wait({ maxPolls: 0 })).rejects.toMatchObject({ option: 'maxPolls' })
    await expect(reply.wait({ minPollMs: 9, maxPollMs: 8 })).rejects.toMatchObject({ option: 'maxPollMs' })
  })

  it('survives a few polls that fail, and no more', async () => {
    await using site = await ScriptedSite.start(bookShop())
    const down = { status: 502, body: 'bad gateway' }
    site.onAsk(accepted()).on('/status/job-1', down, down, down, pending(), down, success('Yes.'))
    const reply = having('accepted', await (await site.visit()).ask('ask_a_person', 'x'))
    expect(await reply.wait()).toMatchObject({ status: 'success' })
    site.on('/status/job-1', down)
    await expect(reply.wait()).rejects.toMatchObject({ code: 'http_status', status: 502 })
  })

  it('ends with the reason of the signal', async () => {
    await using site = await ScriptedSite.start(bookShop())
    const controller = new AbortController()
    site.onAsk(accepted()).on('/status/job-1', () => {
      controller.abort(new Error('enough'))
      return pending()
    })
    const reply = having('accepted', await (await site.visit()).ask('ask_a_person', 'x'))
    await expect(reply.wait({ signal: controller.signal })).rejects.toThrow('enough')
  })
})

it('ends with the reason of the signal', async () => {
  await using site = await ScriptedSite.start(bookShop())
  const controller = new AbortController()
  site.onAsk(() => {
    controller.abort(new Error('enough'))
    return success('late')
  })
  const visited = await site.visit()
  await expect(visited.ask('book_search', 'x', { signal: controller.signal })).rejects.toThrow('enough')
  await expect(site.visit({ signal: controller.signal })).rejects.toThrow('enough')
})
