import { afterEach, describe, expect, it } from 'vitest'
import { createDesk, type DeskOptions } from '../../src/desk.js'
import { ANN, BOB } from './help-line.js'
import { AS_BOB, type DeskSite, openDeskSite } from './desk-site.js'

const opened: DeskSite[] = []
afterEach(async () => {
  for (const site of opened.splice(0)) {
    expect(site.deskFaults).toEqual([])
    await site.close()
  }
})

async function open(options?: Parameters<typeof openDeskSite>[0]): Promise<DeskSite> {
  const site = await openDeskSite(options)
  opened.push(site)
  return site
}

const NOBODY = '0'.repeat(32)

describe('the desk', () => {
  it('takes a question from the list to its answer, by forms alone', async () => {
    const site = await open()
    const id = await site.askPerson('Is Dune good?')
    expect((await site.desk({ path: '/desk' })).text).toContain(`href="/desk/tickets/${id}"`)
    const claimed = await site.submit(`/desk/tickets/${id}/claim`)
    expect([claimed.status, claimed.headers.location]).toEqual([303, `/desk/tickets/${id}`])
    expect((await site.desk({ path: `/desk/tickets/${id}` })).text).toContain('You have taken it')
    const sent = await site.submit(`/desk/tickets/${id}/answer`, { answer: 'Yes.\r\nRead it.' })
    expect([sent.status, sent.headers.location]).toEqual([303, '/desk?done=answer'])
    expect((await site.desk({ path: '/desk?done=answer' })).text).toContain('The answer was sent.')
    expect(await site.poll(id)).toMatchObject({ response: { answer: 'Yes.\nRead it.' } })
  })

  it('declines and gives back', async () => {
    const site = await open()
    const id = await site.askPerson('Is Dune good?')
    await site.submit(`/desk/tickets/${id}/claim`)
    expect((await site.submit(`/desk/tickets/${id}/release`)).headers.location).toBe('/desk?done=release')
    expect((await site.submit(`/desk/tickets/${id}/decline`, { message: 'No.' })).status).toBe(409)
    await site.submit(`/desk/tickets/${id}/claim`)
    expect((await site.submit(`/desk/tickets/${id}/decline`, { message: ' ' })).status).toBe(400)
    expect((await site.submit(`/desk/tickets/${id}/decline`, { message: 'We do not say.' })).status).toBe(303)
    expect(await site.poll(id)).toMatchObject({ status: 'failed', message: 'We do not say.' })
  })

  it('asks for data in a field each, and as JSON where that is not enough', async () => {
    const site = await open()
    const quote = await site.askPerson('How much?', {
      capability: 'quote',
      context: { accept_types: ['application/data'] },
    })
    await site.submit(`/desk/tickets/${quote}/claim`)
    const page = await site.desk({ path: `/desk/tickets/${quote}` })
    expect(page.text).toContain('<label for="output.price">Price</label>')
    const good = { answer: 'Five.', 'output.price': '5.5', 'output.binding': 'cloth', 'output.gift': 'true' }
    for (const wrong of [
      { 'output.price': 'five' },
      { 'output.price': '' },
      { 'output.binding': 'gold' },
      { 'output.copies': '1.5' },
      { 'output.gift': 'perhaps' },
      { answer: '' },
    ]) {
      const refused = await site.submit(`/desk/tickets/${quote}/answer`, {
        ...good,
        'output.remark': 'kept & shown',
        ...wrong,
      })
      expect(refused.status, JSON.stringify(wrong)).toBe(400)
      expect(refused.text).toContain('role="alert"')
      expect(refused.text).toContain('kept &amp; shown')
    }
    expect((await site.submit(`/desk/tickets/${quote}/answer`, good)).status).toBe(303)
    expect(await site.poll(quote)).toMatchObject({
      response: { payload: { data: { price: 5.5, binding: 'cloth', gift: true } } },
    })

    const nested = await site.askPerson('Which?', { capability: 'nested' })
    await site.submit(`/desk/tickets/${nested}/claim`)
    for (const output of ['', '[]', '{', '{"titles":[1]}'])
      expect((await site.submit(`/desk/tickets/${nested}/answer`, { answer: 'x', output })).status).toBe(400)
    const answer = { answer: 'Two.', output: '{"titles":["Dune"]}' }
    expect((await site.submit(`/desk/tickets/${nested}/answer`, answer)).status).toBe(303)
  })

  it('gives a question to one of two operators, and keeps what the other has written', async () => {
    const site = await open()
    const id = await site.askPerson('Is Dune good?')
    const both = await Promise.all([
      site.submit(`/desk/tickets/${id}/claim`),
      site.submit(`/desk/tickets/${id}/claim`, {}, { headers: AS_BOB }),
    ])
    expect(both.map(({ status }) => status).sort()).toEqual([303, 409])
    const holder = (await site.concierge.inbox.read(id))?.claim?.operator.id
    const other = holder === 'ann' ? AS_BOB : {}
    const late = await site.submit(
      `/desk/tickets/${id}/answer`,
      { answer: 'Mine!' },
      { headers: { ...other } },
    )
    expect(late.status).toBe(409)
    expect(late.text).toContain('Somebody else has taken')
    expect(late.text).toContain('Mine!</textarea>')
    expect(await site.poll(id)).toMatchObject({ status: 'pending' })
  })

  it('keeps what was written when a question is kept for longer', async () => {
    const site = await open({ concierge: { inbox: { claimMs: 60_000 } } })
    const id = await site.askPerson('Is Dune good?')
    await site.submit(`/desk/tickets/${id}/claim`)
    site.pass(50_000)
    const kept = await site.submit(`/desk/tickets/${id}/claim`, { answer: 'Half an ans' })
    expect(kept.status).toBe(200)
    expect(kept.text).toContain('Half an ans</textarea>')
    expect(kept.text).not.toContain('role="alert"')
    site.pass(50_000)
    expect((await site.concierge.inbox.read(id))?.claim?.operator).toEqual(ANN)
  })

  it('says when a question is gone', async () => {
    const site = await open()
    const id = await site.askPerson('Is Dune good?')
    await site.concierge.inbox.claim(id, { operator: BOB })
    await site.concierge.inbox.decline(id, { operator: BOB })
    expect((await site.desk({ path: `/desk/tickets/${id}` })).status).toBe(404)
    expect((await site.submit(`/desk/tickets/${id}/claim`)).status).toBe(404)
    const late = await site.submit(`/desk/tickets/${NOBODY}/answer`, { answer: 'Kept <b>text</b>' })
    expect(late.status).toBe(404)
    expect(late.text).toContain('Kept &lt;b&gt;text&lt;/b&gt;</textarea>')
  })

  it('tells an open page cheaply that there is nothing new', async () => {
    const site = await open()
    const { headers } = await site.desk({ path: '/desk' })
    const again = { cookie: 'operator=ann-secret', 'if-none-match': headers.etag ?? '' }
    expect(await site.desk({ path: '/desk', headers: again })).toMatchObject({ status: 304, text: '' })
    await site.askPerson('Is Dune good?')
    expect((await site.desk({ path: '/desk', headers: again })).status).toBe(200)
  })
})

describe('the desk in a site', () => {
  const home = { title: 'Books & more', url: '/?from="desk"' }

  it('leads back to it, and looks like it', async () => {
    const site = await open({ desk: { home, stylesheetUrl: '/assets/desk.css?v="2"' } })
    for (const path of ['/desk', `/desk/tickets/${NOBODY}`]) {
      const { headers, text } = await site.desk({ path })
      expect(text).toContain('href="/?from=&quot;desk&quot;">Books &amp; more</a>')
      expect(text).toContain('<link rel="stylesheet" href="/assets/desk.css?v=&quot;2&quot;">')
      expect(headers['content-security-policy']).toContain(` ${site.origin};`)
    }
  })

  it('takes the style sheet from its place alone, and none where none is named', async () => {
    const elsewhere = await open({ desk: { stylesheetUrl: 'https://static.example/a.css;x' } })
    const policy = /style-src 'sha256-[^']+'([^;]*);/
    const found = (await elsewhere.desk({ path: '/desk' })).headers['content-security-policy'] as string
    expect(policy.exec(found)?.[1]).toBe(' https://static.example')
    const alone = await (await open()).desk({ path: '/desk' })
    expect(policy.exec(alone.headers['content-security-policy'] as string)?.[1]).toBe('')
    expect(alone.text).not.toMatch(/rel="stylesheet"|class="home"/)
  })
})

describe('the desk is closed', () => {
  it('to who is no operator', async () => {
    const site = await open({ desk: { challenge: 'Basic realm="desk"', signInUrl: '/sign-in?next=%2Fdesk' } })
    const id = await site.askPerson('A secret question')
    for (const headers of [{}, { cookie: 'operator=guess' }])
      for (const path of ['/desk', `/desk/tickets/${id}`]) {
        const seen = await site.desk({ path, headers })
        expect([seen.status, seen.headers['www-authenticate']]).toEqual([401, 'Basic realm="desk"'])
        expect(seen.text).toContain('href="/sign-in?next=%2Fdesk"')
        expect(seen.text).not.toContain('secret')
      }
    expect((await site.submit(`/desk/tickets/${id}/claim`, {}, { headers: { cookie: '' } })).status).toBe(401)
    expect((await site.concierge.inbox.read(id))?.claim).toBeUndefined()
  })

  it('to who is nobody, however the site says so, and to what is no operator', async () => {
    for (const [found, status] of [
      [undefined, 401],
      [true, 500],
      [{}, 500],
      [{ id: 7 }, 500],
    ] as const) {
      const faults: unknown[] = []
      const onError = (error: unknown): unknown => faults.push(error)
      const site = await open({ desk: { authenticate: () => found as never, onError } })
      const id = await site.askPerson('A secret question')
      for (const path of ['/desk', `/desk/tickets/${id}`]) {
        const seen = await site.desk({ path })
        expect(seen.status, `${JSON.stringify(found)} ${path}`).toBe(status)
        expect(seen.text).not.toContain('secret')
      }
      expect((await site.submit(`/desk/tickets/${id}/claim`)).status).toBe(status)
      expect((await site.concierge.inbox.read(id))?.claim).toBeUndefined()
      expect(faults).toHaveLength(status === 500 ? 3 : 0)
    }
  })

  it.each([
    ['another site', { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }],
    ['a neighbour', { 'sec-fetch-site': 'same-site' }],
    ['a sandbox', { origin: 'null', 'sec-fetch-site': 'cross-site' }],
    ['nowhere', { origin: '', 'sec-fetch-site': 'none' }],
    ['an old browser on another site', { origin: 'https://evil.example', 'sec-fetch-site': 'same-origin' }],
  ])('to forms of %s', async (_of, headers) => {
    const site = await open()
    const id = await site.askPerson('Is Dune good?')
    expect((await site.submit(`/desk/tickets/${id}/claim`, {}, { headers })).status).toBe(403)
    expect((await site.concierge.inbox.read(id))?.claim).toBeUndefined()
  })

  it('to bodies that are no form, or too long, and to methods and addresses it does not have', async () => {
    const site = await open({ desk: { maxFormBytes: 1000 } })
    const id = await site.askPerson('Is Dune good?')
    const claim = `/desk/tickets/${id}/claim`
    const asJson = { 'content-type': 'application/json' }
    expect((await site.submit(claim, {}, { headers: asJson })).status).toBe(415)
    expect((await site.submit(claim, { answer: 'x'.repeat(2000) })).status).toBe(413)
    expect(await site.desk({ path: claim })).toMatchObject({ status: 405, headers: { allow: 'POST' } })
    expect((await site.submit('/desk')).status).toBe(405)
    for (const path of ['/desk/', '/desk/tickets/1', '/desks', `/desk/tickets/${id}/steal`, '/', '//desk'])
      expect((await site.desk({ path })).status, path).toBe(404)
    expect(await site.desk({ path: '/desk', method: 'HEAD' })).toMatchObject({ status: 200, text: '' })
  })

  it('to everything but its own script and style, frames and caches', async () => {
    const site = await open()
    for (const path of ['/desk', '/nowhere']) {
      const { headers } = await site.desk({ path })
      const policy = String(headers['content-security-policy'])
      expect(policy).toMatch(/^default-src 'none'; script-src 'sha256-[^' ]+'; style-src 'sha256-[^' ]+'; /)
      expect(policy).toContain("frame-ancestors 'none'")
      expect(headers).toMatchObject({
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
        'x-frame-options': 'DENY',
        'referrer-policy': 'same-origin',
      })
    }
  })

  it('with a word to the site when the site fails', async () => {
    const site = await open({
      desk: {
        authenticate() {
          throw new Error('password=hunter2')
        },
      },
    })
    const { status, text } = await site.desk({ path: '/desk' })
    expect(status).toBe(500)
    expect(text).not.toContain('hunter2')
    expect(site.deskFaults).toHaveLength(1)
    opened.pop()
    await site.close()
  })
})

it.each<[string, object]>([
  ['publicUrl', { publicUrl: 'https://x.test/desk' }],
  ['publicUrl', { publicUrl: 'javascript:alert(1)' }],
  ['authenticate', { authenticate: 'cookie' }],
  ['path', { path: 'desk' }],
  ['path', { path: '/desk/' }],
  ['home', { home: '/' }],
  ['home', { home: { title: '', url: '/' } }],
  ['home', { home: { title: 'Books', url: 'javascript:alert(1)' } }],
  ['stylesheetUrl', { stylesheetUrl: 'data:text/css,*{}' }],
  ['stylesheetUrl', { stylesheetUrl: 'https://a.example;sandbox/a.css' }],
  ['stylesheetUrl', { stylesheetUrl: "//a.example,default-src'/a.css" }],
  ['stylesheetUrl', { stylesheetUrl: 'https://*/a.css' }],
  ['signInUrl', { signInUrl: 'javascript:alert(1)' }],
  ['challenge', { challenge: 'Basic\r\nx: y' }],
  ['pollMs', { pollMs: NaN }],
  ['maxFormBytes', { maxFormBytes: 0 }],
  ['title', { title: '' }],
  ['colour', { colour: 'red' }],
])('refuses at the start: %s %o', async (option, wrong) => {
  const site = await open()
  const options: DeskOptions = { publicUrl: site.origin, authenticate: () => ANN, ...wrong }
  expect(() => createDesk(site.concierge.inbox, options)).toThrow(
    expect.objectContaining({ code: 'invalid_option', option }) as Error,
  )
})
