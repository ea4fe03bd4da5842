import { createSafeFetch } from '@doorplate/safe-fetch'
import { expect, it } from 'vitest'
import { createCallbackReceiver, visit } from '../../src/client.js'
import type { CapabilityConfig } from '../../src/server.js'
import { CAPABILITIES as ANSWERING, openBookshop } from '../bookshop.js'
import { having } from './scripted-site.js'

/** Work that our own concierge does for a visiting agent. */

const START_MS = Date.UTC(2026, 0, 1)
const SECRET = `whsec_${btoa('a secret of thirty-two characters')}`
const OBJECT = { type: 'object' } as const

const CAPABILITIES: Readonly<Record<string, CapabilityConfig>> = {
  ...ANSWERING,
  order: {
    description: 'Orders a book.',
    mode: 'MODE3',
    actionType: 'action',
    inputSchema: { type: 'object', properties: { isbn: { type: 'string' } }, required: ['isbn'] },
    outputSchema: OBJECT,
    answer: ({ input, userIntent }) => ({ answer: `Ordered for: ${userIntent ?? ''}`, output: { ...input } }),
  },
  ask_a_person: {
    description: 'A bookseller answers.',
    mode: 'MODE3',
    actionType: 'async',
    inputSchema: OBJECT,
    outputSchema: OBJECT,
    answer: () => ({ answer: 'Read it.', output: {} }),
  },
}

const callback = createCallbackReceiver({
  url: 'https://agent.test/callback',
  secrets: [SECRET],
  now: () => START_MS,
})

it.each([
  ['by polling', undefined],
  ['by callback', callback],
])('is done, and its result collected %s', async (_, receiver) => {
  const delivered: number[] = []
  const shop = await openBookshop({
    capabilities: CAPABILITIES,
    callbacks: {
      secrets: () => [SECRET],
      transport: {
        allows: () => Promise.resolve(true),
        async post(url, { headers, body }) {
          const { status } = await callback.handleRequest(new Request(url, { method: 'POST', headers, body }))
          delivered.push(status)
          return { status }
        },
      },
    },
  })
  const fetch = createSafeFetch({ dangerouslyAllow: [shop.server.host] })
  try {
    const site = await visit(shop.server.origin, { fetch, credential: 'reader-token' })
    const order = { input: { isbn: '1' }, acceptTypes: ['application/action-result'] }
    const ordered = having('success', await site.ask('order', 'Ada wants Dune', order))
    expect(ordered).toMatchObject({
      answer: 'Ordered for: Ada wants Dune',
      contentType: 'application/action-result',
      payload: { success: true, result: { isbn: '1' } },
    })

    const options = { input: {}, ...(receiver && { callback: receiver }) }
    const task = having('accepted', await site.ask('ask_a_person', 'Is it any good?', options))
    // With a callback the only poll would come too late.
    const result = await task.wait(receiver ? { minPollMs: 25_000 } : { minPollMs: 20, maxPollMs: 100 })
    expect(result).toMatchObject({ status: 'success', answer: 'Read it.' })
    expect(delivered).toEqual(receiver ? [204] : [])
  } finally {
    await fetch.close()
    await shop.close()
  }
})
