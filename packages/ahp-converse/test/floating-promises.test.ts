import { describe, expect, it, onTestFinished } from 'vitest'
import { createCallbackReceiver } from '../src/client.js'
import { createMemoryJobStore } from '../src/server.js'
import { bookShop, ScriptedSite, success } from './client/scripted-site.js'
import { openDesk, STAFF } from './desk.js'
import { openHelpLine } from './operators/help-line.js'

/** A rejection that nobody handles ends a program. */
function unhandled(): readonly unknown[] {
  const seen: unknown[] = []
  const others = process.listeners('unhandledRejection')
  process.removeAllListeners('unhandledRejection')
  process.on('unhandledRejection', (reason) => seen.push(reason))
  onTestFinished(() => {
    process.removeAllListeners('unhandledRejection')
    for (const other of others) process.on('unhandledRejection', other)
  })
  return seen
}

const settle = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

describe('no rejection is left to nobody', () => {
  it('when the result of a job is polled before anything is delivered', async () => {
    const seen = unhandled()
    await using site = await ScriptedSite.start(bookShop())
    site.on('/agent/converse/status/job', success('Yes.'))
    const callback = createCallbackReceiver({
      url: 'https://agent.test/callback',
      secrets: [`whsec_${btoa('a secret of thirty-two characters')}`],
    })
    const visited = await site.visit()
    expect(await visited.job({ jobId: 'job' }, { callback }).wait()).toMatchObject({ answer: 'Yes.' })
    await settle(0)
    expect(seen).toEqual([])
  })

  it('when the store fails while a repeated request waits', async () => {
    const seen = unhandled()
    const store = createMemoryJobStore()
    let isAway = false
    const desk = await openDesk({
      jobs: {
        store: {
          ...store,
          read(id) {
            if (isAway) throw new Error('away')
            return store.read(id)
          },
        },
      },
    })
    onTestFinished(() => desk.close())
    const asked = { capability: 'wrap', query: 'x' }
    const headers = { ...STAFF, 'idempotency-key': 'one' }
    expect((await desk.ask(asked, { headers })).json).toMatchObject({ status: 'accepted' })
    isAway = true
    expect((await desk.ask(asked, { headers })).status).toBe(503)
    await settle(20)
    expect(seen).toEqual([])
  })

  it('when whoever is to tell people throws at once', async () => {
    const seen = unhandled()
    const line = await openHelpLine({
      inbox: {
        notifyTimeoutMs: 10,
        notify: () => {
          throw new Error('no mail today')
        },
      },
    })
    onTestFinished(() => line.close())
    await line.askPerson('x')
    await expect.poll(() => line.faults.length).toBe(1)
    await settle(50)
    expect(seen).toEqual([])
  })
})
