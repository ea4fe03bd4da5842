import { afterEach, describe, expect, it, vi } from 'vitest'
import { type ConciergeConfig, defineConcierge, type Ticket, type TicketEvent } from '../../src/server.js'
import type { Outcome } from '../../src/outcome.js'
import type { Turn } from '../../src/turn.js'
import { ANN, BOB, type HelpLine, openHelpLine, READER } from './help-line.js'

const opened: HelpLine[] = []
afterEach(async () => {
  await Promise.all(opened.splice(0).map((line) => line.close()))
})

async function open(overrides: Partial<ConciergeConfig> = {}): Promise<HelpLine> {
  const line = await openHelpLine(overrides)
  opened.push(line)
  return line
}

const MINUTE = 60_000

describe('the inbox', () => {
  it('has what was handed to people, the oldest first, with everything they should know', async () => {
    const line = await open()
    const { inbox } = line.concierge
    const first = await line.askPerson('Is Dune good?', {
      context: { requesting_agent: 'reader-bot', user_intent: 'a present' },
    })
    line.pass(MINUTE)
    const second = await line.askPerson('And its sequel?')
    const tickets = await inbox.list()
    expect(tickets.map(({ id }) => id)).toEqual([first, second])
    expect(tickets[0]).toMatchObject({
      turn: {
        capability: 'ask_a_person',
        query: 'Is Dune good?',
        requestingAgent: 'reader-bot',
        userIntent: 'a present',
        principal: { id: 'reader' },
      },
      note: 'A regular customer.',
      outputSchema: { type: 'object' },
    })
    expect(tickets[0]?.promisedAt).toBe((tickets[0]?.waitsSince ?? 0) + 10 * MINUTE)
    expect(await inbox.list({ limit: 1 })).toHaveLength(1)
    expect(await line.poll(first)).toMatchObject({ status: 'pending', eta_seconds: 540 })
  })

  it('gives the answer of a person to the visitor, and nothing of the note', async () => {
    const line = await open()
    const { inbox } = line.concierge
    const id = await line.askPerson('Is Dune good?')
    await inbox.claim(id, { operator: ANN })
    await inbox.answer(id, { operator: ANN, answer: 'Yes, read it.', output: {} })
    const answer = await line.poll(id)
    expect(answer).toMatchObject({ status: 'success', response: { answer: 'Yes, read it.' } })
    expect(JSON.stringify(answer)).not.toContain('regular')
    expect(await inbox.list()).toEqual([])
    await expect(inbox.answer(id, { operator: ANN, answer: 'No.', output: {} })).rejects.toMatchObject({
      code: 'unknown_ticket',
    })
  })

  it('gives the visitor the reason of who declines', async () => {
    const line = await open()
    const { inbox } = line.concierge
    const [id, other] = [await line.askPerson('Who are you?'), await line.askPerson('Where?')]
    for (const one of [id, other]) await inbox.claim(one, { operator: ANN })
    await inbox.decline(id, { operator: ANN, message: 'We do not say.' })
    await inbox.decline(other, { operator: ANN })
    expect(await line.poll(id)).toMatchObject({ status: 'failed', message: 'We do not say.' })
    expect(await line.poll(other)).toMatchObject({
      status: 'failed',
      message: 'Nobody at the site could answer this.',
    })
  })

  it('gives a question to one of two who claim it at once', async () => {
    const line = await open()
    const { inbox } = line.concierge
    const id = await line.askPerson('Is Dune good?')
    const results = await Promise.allSettled([
      inbox.claim(id, { operator: ANN }),
      inbox.claim(id, { operator: BOB }),
    ])
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    expect(results.find(({ status }) => status === 'rejected')).toMatchObject({
      reason: { code: 'ticket_claimed' },
    })
    const winner = (await inbox.read(id))?.claim?.operator.id === 'ann' ? ANN : BOB
    const loser = winner === ANN ? BOB : ANN
    for (const late of [
      inbox.answer(id, { operator: loser, answer: 'No.', output: {} }),
      inbox.decline(id, { operator: loser }),
      inbox.release(id, { operator: loser }),
    ])
      await expect(late).rejects.toMatchObject({ code: 'ticket_claimed' })
    await inbox.answer(id, { operator: winner, answer: 'Yes.', output: {} })
  })

  it('leaves a claim to its operator for claimMs, and after that until another makes one', async () => {
    const line = await open({ inbox: { claimMs: MINUTE } })
    const { inbox } = line.concierge
    const [id, other] = [await line.askPerson('Is Dune good?'), await line.askPerson('Is it long?')]
    for (const one of [id, other]) await inbox.claim(one, { operator: ANN })
    line.pass(MINUTE - 1)
    await expect(inbox.claim(id, { operator: BOB })).rejects.toMatchObject({ code: 'ticket_claimed' })
    line.pass(1)
    expect((await inbox.read(id))?.claim).toBeUndefined()
    await inbox.answer(other, { operator: ANN, answer: 'It is.', output: {} })
    await inbox.claim(id, { operator: BOB })
    await expect(inbox.answer(id, { operator: ANN, answer: 'Yes.', output: {} })).rejects.toMatchObject({
      code: 'ticket_claimed',
    })
  })

  it('takes no step of what nobody has claimed, has ended, expired or never was', async () => {
    const line = await open({ jobs: { expireAfterMs: MINUTE } })
    const { inbox } = line.concierge
    const id = await line.askPerson('Is Dune good?')
    await expect(inbox.decline(id, { operator: ANN })).rejects.toMatchObject({ code: 'ticket_not_claimed' })
    await expect(inbox.release(id, { operator: ANN })).rejects.toMatchObject({ code: 'ticket_not_claimed' })
    await expect(inbox.claim('0'.repeat(32), { operator: ANN })).rejects.toMatchObject({
      code: 'unknown_ticket',
    })
    await inbox.claim(id, { operator: ANN })
    line.pass(MINUTE)
    await expect(inbox.answer(id, { operator: ANN, answer: 'Yes.', output: {} })).rejects.toMatchObject({
      code: 'unknown_ticket',
    })
    expect(await inbox.list()).toEqual([])
    expect(await line.poll(id)).toMatchObject({ status: 'expired' })
  })

  it('keeps a question whose answer cannot be sent', async () => {
    const line = await open()
    const { inbox } = line.concierge
    const id = await line.askPerson('How much?', {
      capability: 'quote',
      context: { accept_types: ['application/data'] },
    })
    await inbox.claim(id, { operator: ANN })
    for (const answer of [
      { answer: '', output: { price: 5, binding: 'cloth' } },
      { answer: 'Five.' },
      { answer: 'Five.', output: { price: 'five', binding: 'cloth' } },
      { answer: 'word '.repeat(2000), output: { price: 5, binding: 'cloth' } },
    ])
      await expect(inbox.answer(id, { operator: ANN, ...answer })).rejects.toMatchObject({
        code: 'invalid_outcome',
      })
    expect((await inbox.read(id))?.claim?.operator).toEqual(ANN)
    await inbox.answer(id, { operator: ANN, answer: 'Five.', output: { price: 5, binding: 'cloth' } })
    expect(await line.poll(id)).toMatchObject({
      response: { payload: { data: { price: 5, binding: 'cloth' } } },
    })
  })

  it('refuses options that make no sense', async () => {
    const line = await open()
    const { inbox } = line.concierge
    const id = await line.askPerson('Is Dune good?')
    await expect(inbox.claim(id, { operator: { id: '' } })).rejects.toMatchObject({ option: 'operator.id' })
    await expect(inbox.claim(id, { operator: { id: 'a', name: 'b'.repeat(257) } })).rejects.toMatchObject({
      option: 'operator.name',
    })
    await expect(inbox.list({ limit: 0 })).rejects.toMatchObject({ option: 'limit' })
    await inbox.claim(id, { operator: ANN })
    await expect(inbox.decline(id, { operator: ANN, message: ' ' })).rejects.toMatchObject({
      option: 'message',
    })
    for (const [option, value] of [
      ['claimMs', 0],
      ['claimMs', NaN],
      ['notifyTimeoutMs', 0.5],
      ['notify', 'mail'],
      ['colour', 'red'],
    ])
      await expect(openHelpLine({ inbox: { [String(option)]: value } })).rejects.toMatchObject({
        code: 'invalid_option',
        option: `inbox.${String(option)}`,
      })
  })

  it('is empty where nothing is answered as a job', async () => {
    const { inbox } = defineConcierge({
      name: 'x',
      publicUrl: 'https://x.test',
      contentSignals: { ai_train: false, ai_input: true, search: true, attribution_required: false },
      capabilities: { help: { description: 'x', mode: 'MODE2', answer: () => ({ answer: 'x' }) } },
    })
    expect(await inbox.list()).toEqual([])
    await expect(inbox.claim('x', { operator: ANN })).rejects.toMatchObject({ code: 'unknown_ticket' })
  })

  it('tells of what happens', async () => {
    const line = await open({ jobs: { expireAfterMs: 10 * MINUTE } })
    const { inbox } = line.concierge
    const events: TicketEvent[] = []
    const unsubscribe = inbox.subscribe((event) => events.push(event))
    inbox.subscribe(() => {
      throw new Error('a listener of the site')
    })
    const [answered, declined, cancelled, expired] = [
      await line.askPerson('1'),
      await line.askPerson('2'),
      await line.askPerson('3'),
      await line.askPerson('4'),
    ]
    await inbox.claim(answered, { operator: ANN })
    await inbox.release(answered, { operator: ANN })
    await inbox.claim(answered, { operator: BOB })
    await inbox.answer(answered, { operator: BOB, answer: 'Yes.', output: {} })
    await inbox.claim(declined, { operator: ANN })
    await inbox.decline(declined, { operator: ANN })
    await line.concierge.cancelJob(cancelled)
    line.pass(11 * MINUTE)
    await line.concierge.runDueJobs()
    const story = (id: string): string[] =>
      events
        .filter(({ ticket }) => ticket.id === id)
        .map(({ type, ticket: { claim } }) => `${type} ${claim?.operator.id ?? '-'}`)
    expect(story(answered)).toEqual(['waiting -', 'claimed ann', 'released -', 'claimed bob', 'answered bob'])
    expect(story(declined)).toEqual(['waiting -', 'claimed ann', 'declined ann'])
    expect(story(cancelled)).toEqual(['waiting -', 'declined -'])
    expect(story(expired)).toEqual(['waiting -', 'expired -'])
    expect(line.faults.filter(({ stage }) => stage === 'inbox')).toHaveLength(events.length)
    unsubscribe()
    const before = events.length
    await line.askPerson('5')
    expect(events).toHaveLength(before)
  })
})

describe('what answers first', () => {
  const person = {
    description: 'Somebody answers.',
    mode: 'MODE3',
    actionType: 'async',
    inputSchema: { type: 'object' },
    outputSchema: { type: 'object' },
  } as const
  const search = { description: 'Finds.', mode: 'MODE2', answer: () => ({ answer: 'Here.' }) } as const

  it('has no more to say of it when it has handed it over', async () => {
    let report: Turn['reportProgress']
    const answer = ({ reportProgress }: Turn): Outcome => {
      report = reportProgress
      return { escalation: { etaSeconds: 600 } }
    }
    const line = await open({ capabilities: { search, ask_a_person: { ...person, answer } } })
    const id = await line.askPerson('Is Dune good?')
    const before = await line.concierge.inbox.read(id)
    report?.({ text: 'Nearly there.', etaSeconds: 1 })
    await line.concierge.runDueJobs()
    expect(await line.concierge.inbox.read(id)).toEqual(before)
    expect(await line.poll(id)).toEqual({ status: 'pending', session_id: id, eta_seconds: 600 })
  })

  it.each([
    ['nothing', null],
    ['a text', 'a person'],
    ['a note that is a number', { note: 7 }],
    ['a note that is a book', { note: 'x'.repeat(10_001) }],
    ['a time that is past', { etaSeconds: -1 }],
    ['a time that is no number', { etaSeconds: NaN }],
    ['a time that no calendar has', { etaSeconds: 1e300 }],
  ])('hands over nothing that people could not read: %s', async (_what, escalation) => {
    const answer = (): Outcome => ({ escalation }) as never
    const line = await open({ capabilities: { search, ask_a_person: { ...person, answer } } })
    const seen = await line.ask({ capability: 'ask_a_person', query: 'q' }, { headers: READER })
    const { session_id: id } = seen.json as { readonly session_id: string }
    await expect.poll(async () => (await line.poll(id)).status).toBe('failed')
    expect(line.faults).toMatchObject([{ stage: 'answer', error: { code: 'invalid_outcome' } }])
    expect(await line.concierge.inbox.list()).toEqual([])
  })
})

describe('people are told', () => {
  it('once of each question, again when a claim runs out or is given back', async () => {
    const told: string[] = []
    const line = await open({
      inbox: { claimMs: MINUTE, notify: ({ id, claim }) => told.push(`${id} ${claim?.operator.id ?? ''}`) },
    })
    const { inbox } = line.concierge
    const id = await line.askPerson('Is Dune good?')
    await expect.poll(() => told).toEqual([`${id} `])
    for (let minutes = 0; minutes < 60; minutes++) {
      line.pass(MINUTE)
      await line.concierge.runDueJobs()
    }
    expect(told).toHaveLength(1)
    await inbox.claim(id, { operator: ANN })
    line.pass(MINUTE - 1)
    await line.concierge.runDueJobs()
    expect(told).toHaveLength(1)
    line.pass(1)
    await line.concierge.runDueJobs()
    expect(told).toEqual([`${id} `, `${id} `])
    await inbox.claim(id, { operator: ANN })
    await inbox.release(id, { operator: ANN })
    await line.concierge.runDueJobs()
    expect(told).toHaveLength(3)
  })

  it('again when that failed, each time after as long again', async () => {
    const attempts: number[] = []
    let time = 0
    const line = await open({
      inbox: {
        notify: () => {
          attempts.push(time)
          if (attempts.length < 4) throw new Error('The mail server is away.')
        },
      },
    })
    await line.askPerson('Is Dune good?')
    await expect.poll(() => attempts).toEqual([0])
    for (; time < 200;) {
      time += 5
      line.pass(5000)
      await line.concierge.runDueJobs()
    }
    expect(attempts).toEqual([0, 10, 20, 40])
    expect(line.faults.filter(({ stage }) => stage === 'inbox')).toHaveLength(3)
  })

  it('and the question can be claimed and answered meanwhile', async () => {
    const waiting: { ticket: Ticket; signal: AbortSignal }[] = []
    const line = await open({
      inbox: {
        notify: async (ticket, { signal }) => {
          waiting.push({ ticket, signal })
          await new Promise(() => undefined)
        },
      },
    })
    const { inbox } = line.concierge
    const id = await line.askPerson('Is Dune good?')
    await vi.waitUntil(() => waiting.length === 1)
    await inbox.claim(id, { operator: ANN })
    await inbox.answer(id, { operator: ANN, answer: 'Yes.', output: {} })
    expect(waiting[0]?.signal.aborted).toBe(true)
    expect(await line.poll(id)).toMatchObject({ status: 'success' })
    expect(line.faults).toEqual([])
  })
})
