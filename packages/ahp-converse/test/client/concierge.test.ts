import { createSafeFetch } from '@doorplate/safe-fetch'
import { describe, expect, it } from 'vitest'
import { visit, type Site, type VisitOptions } from '../../src/client.js'
import { having } from './scripted-site.js'
import { openBookshop, PAYLOADS, type Bookshop } from '../bookshop.js'

/** The visiting agent at our own concierge, over real HTTP. */

async function inShop(
  work: (site: Site, shop: Bookshop) => Promise<void>,
  options: VisitOptions = {},
  overrides: Parameters<typeof openBookshop>[0] = {},
): Promise<void> {
  const shop = await openBookshop(overrides)
  const fetch = createSafeFetch({ dangerouslyAllow: [shop.server.host] })
  try {
    await work(await visit(shop.server.origin, { fetch, ...options }), shop)
  } finally {
    await fetch.close()
    await shop.close()
  }
}

it.each(['well-known', 'link', 'notice'] as const)('is found by %s', async (mechanism) => {
  await inShop(
    (site) => {
      expect(site).toMatchObject({ foundBy: mechanism, name: 'The Book Shelf', warnings: [] })
      return Promise.resolve()
    },
    { discovery: [mechanism] },
  )
})

it('is read', async () => {
  await inShop(async (site) => {
    expect(await site.readContent()).toMatchObject({
      text: expect.stringContaining('# The Book Shelf') as string,
    })
  })
})

describe('asked', () => {
  it('answers, with sources, suggestions, signals, limits and nothing to complain about', async () => {
    await inShop(async (site) => {
      const reply = having('success', await site.ask('search', 'Solaris'))
      expect(reply).toMatchObject({
        answer: 'There is a review of Solaris.',
        sources: [{ title: 'Reviews', relevance: 'direct' }],
        suggestedQueries: ['Who wrote it?'],
        contentSignals: { ai_train: false },
        warnings: [],
      })
      expect(reply.rateLimit).toMatchObject({ windowSeconds: 60 })
    })
  })

  it('remembers the conversation, and only that', async () => {
    await inShop(async (site) => {
      const session = site.session()
      await session.ask('search', 'Solaris')
      const reply = having('success', await session.ask('search', 'Eden'))
      expect(reply.answer).toContain('Before you asked: Solaris')
      expect(having('success', await site.ask('search', 'Fiasco')).answer).not.toContain('Before')
    })
  })

  it.each(['search', 'question_only', 'strict_question'])('asks back in %s', async (capability) => {
    await inShop(async (site) => {
      const asked = having('clarification_needed', await site.ask(capability, 'dune'))
      const choice = asked.options[0] ?? 'Herbert'
      expect(having('success', await asked.reply(choice)).answer).toContain(choice)
    })
  })

  it.each(Object.keys(PAYLOADS))('answers in %s', async (contentType) => {
    await inShop(async (site) => {
      const reply = having('success', await site.ask('anything', 'Dune', { acceptTypes: [contentType] }))
      expect(reply).toMatchObject({ contentType, warnings: [] })
      expect(reply.payload).toEqual(PAYLOADS[contentType as keyof typeof PAYLOADS])
    })
  })

  it('says which types it has', async () => {
    await inShop(async (site) => {
      const refused = having('error', await site.ask('contact', 'Dune', { acceptTypes: ['media/video'] }))
      expect(refused).toMatchObject({ code: 'unsupported_type', httpStatus: 400 })
      expect(await site.ask('contact', 'Dune', { acceptTypes: refused.availableTypes })).toMatchObject({
        status: 'success',
      })
    })
  })

  it('wants a credential, and takes it', async () => {
    await inShop(async (site) => {
      expect(having('error', await site.ask('orders', 'mine')).code).toBe('auth_required')
    })
    await inShop(
      async (site) => {
        expect(await site.ask('orders', 'mine')).toMatchObject({ status: 'success' })
        expect(having('error', await site.ask('stock', 'all')).code).toBe('forbidden')
      },
      { credential: 'reader-token' },
    )
  })

  it('fails without giving anything away', async () => {
    await inShop(async (site) => {
      const reply = having('error', await site.ask('broken', 'x'))
      expect(reply).toMatchObject({ code: 'concierge_error', httpStatus: 500 })
      expect(reply.message).not.toContain('hunter2')
    })
  })

  it('is asked again when its limit allows it', async () => {
    let shop: Bookshop | undefined
    const slept: number[] = []
    const sleep = (delayMs: number): Promise<void> => {
      slept.push(delayMs)
      shop?.pass(delayMs)
      nowMs += delayMs
      return Promise.resolve()
    }
    let nowMs = Date.UTC(2026, 0, 1)
    await inShop(
      async (site, opened) => {
        shop = opened
        for (let turn = 0; turn < 40; turn++) having('success', await site.ask('search', `book ${turn}`))
        expect(slept.length).toBeGreaterThan(0)
        expect(Math.max(...slept)).toBeLessThanOrEqual(61_000)
      },
      { now: () => nowMs, sleep, retry: { maxDelayMs: 120_000 } },
    )
  })

  it('ends a session after its turns', async () => {
    await inShop(async (site) => {
      const session = site.session()
      for (let turn = 0; turn < 10; turn++) having('success', await session.ask('search', `book ${turn}`))
      expect(having('error', await session.ask('search', 'one more'))).toMatchObject({
        code: 'rate_limited',
        scope: 'session',
      })
    })
  })

  it('does not know the session of somebody else', async () => {
    await inShop(async (site) => {
      expect(having('error', await site.session('made-up').ask('search', 'x'))).toMatchObject({
        code: 'invalid_request',
        httpStatus: 400,
      })
    })
  })
})
