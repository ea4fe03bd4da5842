import { Webhook } from 'standardwebhooks'
import { expect, it } from 'vitest'
import { createCallbackReceiver } from '../../src/client.js'
import { ScriptedSite, bookShop, success } from './scripted-site.js'

const SECRET = `whsec_${btoa('a secret of thirty-two characters')}`
const URL_OF_AGENT = 'https://agent.test/callback'

it('takes the result of accepted work by callback, and polls as long as none comes', async () => {
  await using site = await ScriptedSite.start(bookShop())
  const { now } = site.clock
  const callback = createCallbackReceiver({ url: URL_OF_AGENT, secrets: [SECRET], now })
  site.onAsk({
    body: {
      status: 'accepted',
      session_id: 'job-1',
      poll: '/job',
      callback: { method: 'POST', url: URL_OF_AGENT },
    },
  })
  site.on('/job', async () => {
    const body = JSON.stringify({
      status: 'success',
      session_id: 'job-1',
      response: { answer: 'By callback.' },
    })
    const headers = {
      'webhook-id': 'msg-1',
      'webhook-timestamp': String(Math.floor(now() / 1_000)),
      'webhook-signature': new Webhook(SECRET).sign('msg-1', new Date(now()), body),
    }
    await callback.handleRequest(new Request(URL_OF_AGENT, { method: 'POST', headers, body }))
    return { body: { status: 'pending', session_id: 'job-1' } }
  })
  const visited = await site.visit()
  const reply = await visited.ask('ask_a_person', 'Is it good?', { callback })
  expect(site.asked[0]?.json).toMatchObject({ context: { callback_url: URL_OF_AGENT } })
  if (reply.status !== 'accepted') throw new Error('unexpected')
  expect(await reply.wait()).toMatchObject({ status: 'success', answer: 'By callback.' })
  expect(site.paths.filter((path) => path === '/job')).toHaveLength(1)
  site.on('/job', success('By poll.'))
  expect(await reply.wait()).toMatchObject({ answer: 'By poll.' })
})
