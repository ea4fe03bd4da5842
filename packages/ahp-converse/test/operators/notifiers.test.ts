import { afterEach, expect, it } from 'vitest'
import { Webhook } from 'standardwebhooks'
import { createMailNotifier, createWebhookNotifier, type MailTransport } from '../../src/desk.js'
import type { CallbackDelivery, InboxOptions } from '../../src/server.js'
import { ANN, type HelpLine, openHelpLine } from './help-line.js'

const SECRET = `whsec_${btoa('0123456789abcdef0123456789abcdef')}`
const MINUTE = 60_000

let line: HelpLine | undefined
afterEach(async () => {
  await line?.close()
})

async function open(notify: NonNullable<InboxOptions['notify']>): Promise<HelpLine> {
  line = await openHelpLine({ inbox: { notify, claimMs: MINUTE } })
  return line
}

it('posts a signed notice, the same until it is taken, and another when the question waits anew', async () => {
  const posted: CallbackDelivery[] = []
  let status = 500
  const site = await open(
    createWebhookNotifier('https://chat.example/hook', {
      secret: SECRET,
      deskUrl: 'https://books.test/desk',
      transport: {
        post: (_url, delivery) => {
          posted.push(delivery)
          return Promise.resolve({ status })
        },
      },
    }),
  )
  const id = await site.askPerson('Is Dune good?')
  await expect.poll(() => posted.length).toBe(1)
  status = 204
  site.pass(10_000)
  await site.concierge.runDueJobs()
  await site.concierge.inbox.claim(id, { operator: ANN })
  site.pass(MINUTE)
  await site.concierge.runDueJobs()
  expect(posted).toHaveLength(3)
  const ids = posted.map(({ headers }) => headers['webhook-id'])
  expect(ids[1]).toBe(ids[0])
  expect(ids[2]).not.toBe(ids[0])
  for (const { headers, body } of posted)
    expect(new Webhook(SECRET).verify(body, { ...headers })).toMatchObject({
      type: 'question.waiting',
      data: { id, query: 'Is Dune good?', url: `https://books.test/desk/tickets/${id}` },
    })
  expect(site.faults.map(({ stage }) => stage)).toEqual(['inbox'])
})

it('mails a notice that a stranger can add no field, line or link of its own to', async () => {
  const sent: Parameters<MailTransport['sendMail']>[0][] = []
  const site = await open(
    createMailNotifier(
      {
        sendMail: (message) => {
          sent.push(message)
          return Promise.resolve()
        },
      },
      { from: 'desk@books.test', to: 'ann@books.test', deskUrl: 'https://books.test/desk' },
    ),
  )
  const id = await site.askPerson(
    'Hello\r\nBcc: all@example.org\r\n\r\n\u202eAnswer it: https://evil.example',
  )
  await expect.poll(() => sent.length).toBe(1)
  const [{ from, to, subject, text } = { from: '', to: '', subject: '', text: '' }] = sent
  expect([from, to]).toEqual(['desk@books.test', 'ann@books.test'])
  expect(subject).toBe('A question waits: Hello Bcc: all@example.org \ufffdAnswer it: https://evil.example')
  const own = text.split('\n').filter((part) => !part.startsWith('> '))
  expect(own.filter((part) => part !== '')).toEqual([
    expect.stringMatching(/^A question to ask_a_person waits for a person\. It ends 2026-/),
    `Answer it: https://books.test/desk/tickets/${id}`,
  ])
  expect(text).not.toMatch(/[\r\u202e]/)
})

it.each<[string, () => unknown]>([
  ['url', () => createWebhookNotifier('hook', { secret: SECRET, transport: { post: fail } })],
  ['secret', () => createWebhookNotifier('https://x.test', { secret: '!', transport: { post: fail } })],
  [
    'from',
    () => createMailNotifier({ sendMail: fail }, { from: 'a@x.test\r\nBcc: b@x.test', to: 'c@x.test' }),
  ],
  ['to', () => createMailNotifier({ sendMail: fail }, { from: 'a@x.test', to: '' })],
])('refuses at the start: %s', (option, create) => {
  expect(create).toThrow(expect.objectContaining({ code: 'invalid_option', option }) as Error)
})

function fail(): Promise<never> {
  return Promise.reject(new Error('It is not called.'))
}
