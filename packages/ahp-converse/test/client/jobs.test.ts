import { createSafeFetch } from '@doorplate/safe-fetch'
import { describe, expect, it } from 'vitest'
import { createCallbackReceiver, type JobHandle } from '../../src/client.js'
import { bookShop, having, refusal, ScriptedSite, success } from './scripted-site.js'

/** Accepted work that is collected later, by a process that knows no more than its handle. */

const JOB_PATH = '/status/job-1'
const ACCEPTED = { body: { status: 'accepted', session_id: 'job-1', poll: JOB_PATH, eta_seconds: 50 } }
const QUESTION = {
  body: {
    status: 'clarification_needed',
    session_id: 's-7',
    clarification: { question: 'The book or the film?', options: ['book', 'film'] },
  },
}

/** As it comes back from wherever it was kept. */
function kept(handle: JobHandle): JobHandle {
  return JSON.parse(JSON.stringify(handle)) as JobHandle
}

describe('the handle of accepted work', () => {
  it('is data, and enough to collect the result after another visit, at once', async () => {
    await using site = await ScriptedSite.start(bookShop())
    site.onAsk(ACCEPTED).on(JOB_PATH, { body: { status: 'pending', session_id: 'job-1' } }, success('Yes.'))
    const options = { locale: 'de', signal: new AbortController().signal }
    const reply = having('accepted', await (await site.visit()).ask('ask_a_person', 'Good?', options))
    expect(kept(reply.handle)).toEqual({
      jobId: 'job-1',
      pollUrl: site.origin + JOB_PATH,
      question: { capability: 'ask_a_person', query: 'Good?', locale: 'de' },
    })
    const resumed = (await site.visit()).job(kept(reply.handle))
    expect(resumed).toMatchObject({ status: 'accepted', jobId: 'job-1', handle: reply.handle })
    expect(site.paths).not.toContain(JOB_PATH)
    expect(await resumed.wait()).toMatchObject({ status: 'success', answer: 'Yes.' })
    expect(site.clock.slept).toEqual([1_500])
  })

  it('is asked for where the draft says when only the id is known', async () => {
    await using site = await ScriptedSite.start(bookShop({ endpoints: { converse: '/desk?x=1' } }))
    site.on('/desk/status/a%2Fb', success('Yes.'))
    expect(await (await site.visit()).job({ jobId: 'a/b' }).wait()).toMatchObject({ answer: 'Yes.' })
  })

  it('answers what the work asks back, in its session', async () => {
    await using site = await ScriptedSite.start(bookShop())
    site.onAsk(ACCEPTED, success('The film.')).on(JOB_PATH, QUESTION)
    const input = { isbn: '1' }
    const { handle } = having('accepted', await (await site.visit()).ask('ask_a_person', 'Good?', { input }))
    const asked = await (await site.visit()).job(kept(handle)).wait()
    if (asked.status !== 'clarification_needed') throw new Error(asked.status)
    expect(await asked.reply('film')).toMatchObject({ answer: 'The film.' })
    expect(site.asked.at(-1)?.json).toMatchObject({
      capability: 'ask_a_person',
      query: '{"isbn":"1"}',
      session_id: 's-7',
      clarification: 'film',
    })
    const unknown = await (await site.visit()).job({ jobId: 'job-1', pollUrl: JOB_PATH }).wait()
    if (unknown.status !== 'clarification_needed') throw new Error(unknown.status)
    await expect(unknown.reply('film')).rejects.toMatchObject({ code: 'no_capability' })
  })

  it('takes the result from a callback receiver that has it', async () => {
    await using site = await ScriptedSite.start(bookShop())
    site.on(JOB_PATH, { body: { status: 'pending', session_id: 'job-1' } })
    const secret = `whsec_${btoa('a secret of thirty-two characters')}`
    const receiver = createCallbackReceiver({ url: 'https://agent.test/', secrets: [secret] })
    const read = { httpStatus: 200, rateLimit: undefined, warnings: [] }
    const response = { status: 'failed', session_id: 'job-1', message: 'No.' } as const
    const callback = { ...receiver, result: () => Promise.resolve({ ...read, response }) }
    const job = (await site.visit()).job({ jobId: 'job-1', pollUrl: JOB_PATH }, { callback })
    expect(await job.wait()).toMatchObject({ status: 'failed', message: 'No.' })
  })

  it('is collected where the site answers, also on another origin than its manifest', async () => {
    await using desk = await ScriptedSite.start()
    desk.onAsk(ACCEPTED).on(JOB_PATH, success('Yes.'))
    await using site = await ScriptedSite.start(
      bookShop({ endpoints: { converse: `${desk.origin}/agent/converse` } }),
    )
    const visited = await site.visit({ fetch: site.fetch(desk) })
    const reply = having('accepted', await visited.ask('ask_a_person', 'x'))
    expect(reply.handle.pollUrl).toBe(desk.origin + JOB_PATH)
    expect(await reply.wait()).toMatchObject({ answer: 'Yes.' })
    expect(await visited.job(kept(reply.handle)).wait()).toMatchObject({ answer: 'Yes.' })
  })

  it('is of the site that it is given to, and no other', async () => {
    await using site = await ScriptedSite.start(bookShop())
    await using other = await ScriptedSite.start(bookShop())
    const visited = await site.visit({ credential: 's3cret', fetch: site.fetch(other) })
    for (const pollUrl of [
      `${other.origin}/job`,
      '//elsewhere.test/job',
      'javascript:1',
      'http://u:p@a.test/',
    ])
      expect(() => visited.job({ jobId: 'job', pollUrl })).toThrow(
        expect.objectContaining({ code: 'foreign_poll' }) as Error,
      )
    expect(other.requests).toEqual([])
  })

  it.each([
    ['handle', null],
    ['jobId', {}],
    ['jobId', { jobId: 5 }],
    ['jobId', { jobId: '\ud800' }],
    ['pollUrl', { jobId: 'a', pollUrl: 5 }],
    ['sessionId', { jobId: 'a', sessionId: 5 }],
    ['question', { jobId: 'a', question: { capability: 'a' } }],
    ['question', { jobId: 'a', question: [] }],
    ['secret', { jobId: 'a', secret: 'x' }],
  ])('is refused with a wrong %s: %j', async (option, handle) => {
    await using site = await ScriptedSite.start(bookShop())
    const visited = await site.visit()
    expect(() => visited.job(handle as unknown as JobHandle)).toThrow(
      expect.objectContaining({ code: 'invalid_option', option }) as Error,
    )
  })

  it('is refused where content of the site may not be used so', async () => {
    await using site = await ScriptedSite.start(bookShop())
    const visited = await site.visit({ uses: ['ai_train'] })
    expect(() => visited.job({ jobId: 'a' })).toThrow(
      expect.objectContaining({ code: 'refused_by_signal' }) as Error,
    )
  })
})

describe('the credential', () => {
  async function sentFor(handle: JobHandle, site: ScriptedSite): Promise<readonly unknown[]> {
    const fetch = createSafeFetch({ dangerouslyAllow: [site.host] })
    const visited = await site.visit({ credential: () => 's3cret', fetch })
    await visited.job(handle).wait()
    await fetch.close()
    return site.requests
      .filter(({ path }) => path === JOB_PATH)
      .map(({ headers }) => headers['authorization'])
  }

  it('goes at once with work of a capability that needs it', async () => {
    await using site = await ScriptedSite.start(bookShop())
    site.on(JOB_PATH, success('Yes.'))
    const question = { capability: 'ask_a_person', query: 'x' }
    expect(await sentFor({ jobId: 'job-1', pollUrl: JOB_PATH, question }, site)).toEqual(['Bearer s3cret'])
  })

  it.each([404, 401])('goes after a %d where that is not known', async (status) => {
    await using site = await ScriptedSite.start(bookShop())
    site.on(JOB_PATH, ({ headers }) =>
      headers['authorization'] === undefined ? refusal(status, 'auth_required') : success('Yes.'),
    )
    const sent = await sentFor({ jobId: 'job-1', pollUrl: JOB_PATH }, site)
    expect(sent).toEqual([undefined, 'Bearer s3cret'])
  })

  it('does not go with work that is told to anybody', async () => {
    await using site = await ScriptedSite.start(bookShop())
    site.on(JOB_PATH, success('Yes.'))
    expect(await sentFor({ jobId: 'job-1', pollUrl: JOB_PATH }, site)).toEqual([undefined])
  })
})
