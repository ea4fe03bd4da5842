import type { BrowserContextOptions, Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { isMissing, SIZES, violationsOf, visitServer, whyNot } from './browser.js'

const MAX_PAGE_BYTES = 50_000
/** Pages on which the times of the reader's zone take the place of others, within their lines. */
const WITH_TIMES: ReadonlySet<string> = new Set(['desk', 'ticket'])
const THEMES = ['light', 'dark'] as const

describe.skipIf(isMissing)(`every page${whyNot}`, () => {
  const { server, open, keep } = visitServer()
  const paths: Record<string, string> = {
    home: '/',
    document: '/docs/spec/aadp-v1-0',
    'long-document': '/docs/package/ahp-converse',
    license: '/license',
    catalogue: '/catalogue',
    type: '/catalogue/record',
    protected: '/catalogue/order',
    entity: '/catalogue/spec/aadp-v1-0',
    'localised-entity': '/catalogue/post/why-checksums?locale=de',
    ask: '/ask',
    inspect: '/inspect',
    inspection: '',
    wait: '',
    desk: '/desk',
    ticket: '',
  }

  beforeAll(async () => {
    paths['inspection'] = await led('/inspect', { url: server().origin, suites: 'yes' })
    paths['wait'] = await led('/ask', { query: 'Is anybody there?', step: 'hand-over' })
    const { operator } = server().tokens
    const authorization = `Basic ${btoa(`ann:${operator}`)}`
    const desk = await (await fetch(`${server().origin}/desk`, { headers: { authorization } })).text()
    paths['ticket'] = /\/desk\/tickets\/[0-9a-f]{32}/.exec(desk)?.[0] ?? ''
    for (let text = ''; !text.includes('Looked at in'); await new Promise((done) => setTimeout(done, 250)))
      text = await (await fetch(server().origin + paths['inspection'])).text()
  }, 120_000)

  /** With the password of the desk. */
  const asOperator = (options: BrowserContextOptions = {}): Promise<Page> =>
    open(undefined, {
      ...options,
      httpCredentials: { username: 'ann', password: server().tokens.operator },
    })

  async function led(path: string, form: Record<string, string>): Promise<string> {
    const { origin } = server()
    const body = new URLSearchParams(form)
    const response = await fetch(origin + path, {
      method: 'POST',
      headers: { origin },
      body,
      redirect: 'manual',
    })
    return response.headers.get('location') ?? ''
  }

  const views = Object.entries(SIZES).flatMap(([size, viewport]) =>
    THEMES.map((theme) => ({ size, viewport, theme })),
  )

  it.each(views)(
    'fits, stays where it is, weighs little and can be used by everybody ($size, $theme)',
    async ({ size, viewport, theme }) => {
      const page = await asOperator({ viewport, colorScheme: theme })
      const weigh = await scalesOf(page)
      for (const [name, path] of Object.entries(paths)) {
        await page.setViewportSize(viewport)
        weigh()
        await page.goto(server().origin + path)
        expect(await page.evaluate(EXCESS), `${name}: horizontal scroll`).toBeLessThanOrEqual(0)
        expect(await page.evaluate(ROOM), `${name}: room above the title`).toBeGreaterThanOrEqual(16)
        const shift = await page.evaluate<number>(SHIFT)
        expect(shift, `${name}: layout shift`).toBeLessThanOrEqual(WITH_TIMES.has(name) ? 0.01 : 0)
        expect(weigh(), `${name}: bytes`).toBeLessThan(MAX_PAGE_BYTES)
        if ((size === 'phone') === (theme === 'light')) {
          expect(await violationsOf(page), `${name}: axe`).toEqual([])
        }
        await keep(page, `${name}-${size}-${theme}`)
      }
    },
    180_000,
  )

  it('can be walked with the keyboard: the skip link first, then in the order of the text', async () => {
    const page = await asOperator()
    for (const [name, path] of Object.entries(paths)) {
      await page.goto(server().origin + path)
      await page.keyboard.press('Tab')
      expect(await page.evaluate('document.activeElement.className'), name).toBe('skip')
      await page.keyboard.press('Enter')
      const seen: number[] = []
      for (let steps = 0; steps < 12; steps++) {
        await page.keyboard.press('Tab')
        const focused = await page.evaluate<{ place: number; outline: string }>(FOCUSED)
        if (focused.place < 0) break
        expect(focused.outline, name).not.toBe('none')
        seen.push(focused.place)
      }
      expect(seen, name).toEqual([...seen].sort((left, right) => left - right))
    }
  }, 120_000)

  it.each([true, false])('inspects this server (scripts: %s)', async (javaScriptEnabled) => {
    const page = await open('/inspect', { javaScriptEnabled })
    await page.getByLabel('Address of a site').fill(server().origin)
    await page.keyboard.press('Enter')
    const done = page.getByText(/^Looked at in/)
    if (javaScriptEnabled) await done.waitFor()
    else while ((await done.count()) === 0) await page.getByRole('link', { name: 'look again' }).click()
    await page.locator('summary', { hasText: 'ahp-manifest' }).click()
    expect(await page.locator('details[open]').first().textContent()).toContain('SHA-256')
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'JSON of Find' }).click(),
    ])
    expect(download.suggestedFilename()).toBe('find.json')
  })

  it('leaves the focus, and what is open, where they are while it looks', async () => {
    const waiting = await led('/inspect', { url: server().origin, suites: 'yes' })
    const next = await open(await led('/inspect', { url: server().origin }))
    await next.getByText('Waiting for its turn: number 1 in line.').waitFor()
    expect(await violationsOf(next)).toEqual([])
    const page = await open(waiting)
    await page.locator('#found-0 summary').focus()
    await page.keyboard.press('Enter')
    await page.locator('#waterfall summary').click()
    await page.locator('#found-0 summary').focus()
    await page.getByText(/^Looked at in/).waitFor({ timeout: 60_000 })
    expect(
      await page.evaluate(
        `[document.activeElement.parentElement.id, document.getElementById('found-0').open, document.getElementById('waterfall').open]`,
      ),
    ).toEqual(['found-0', true, false])
    // The next one has begun by itself.
    await next.getByText(/^Looked at in/).waitFor()
  }, 90_000)

  it.each(['light', 'dark'] as const)(
    'can be used by everybody in whatever state it gets into (%s)',
    async (colorScheme) => {
      const page = await asOperator({ colorScheme, viewport: SIZES.phone })
      // Statuses of answers are lines on the console too.
      page.removeAllListeners('console')
      const check = async (name: string): Promise<void> => {
        expect(await page.evaluate(EXCESS), `${name}: horizontal scroll`).toBeLessThanOrEqual(0)
        expect(await violationsOf(page), `${name}: axe`).toEqual([])
        await keep(page, `${name}-phone-${colorScheme}`)
        await page.setViewportSize(SIZES.phone)
      }
      const ask = async (query: string): Promise<void> => {
        await page.getByLabel('Your question').fill(query)
        await page.getByRole('button', { name: 'Ask', exact: true }).click()
      }
      await page.goto(`${server().origin}/nope`)
      await check('not-found')
      await page.goto(`${server().origin}/ask`)
      await ask('Which Node.js does it need?')
      await page.locator('.answer').waitFor()
      await ask('errors')
      await page.locator('.reply .choices').waitFor()
      await check('conversation')
      await page.goto(`${server().origin}/inspect`)
      await page.getByLabel('Address of a site').fill('http://192.168.0.1/')
      await page.getByRole('button', { name: 'Inspect', exact: true }).click()
      await page.getByRole('alert').waitFor()
      await check('refusal')

      const wait = await led('/ask', { query: `Is it ${colorScheme} outside?`, step: 'hand-over' })
      await page.goto(`${server().origin}/desk`)
      await page.getByRole('link', { name: `Is it ${colorScheme} outside?` }).click()
      await page.getByRole('button', { name: 'Take this question' }).click()
      await page.locator('summary', { hasText: 'Decline' }).click()
      await page.getByLabel('What the visitor is told').fill(' ')
      await page.getByRole('button', { name: 'Send the answer' }).click()
      await page.getByRole('alert').waitFor()
      await check('desk-problem')
      await page.getByLabel('What the visitor is told').fill('It is.')
      await page.getByRole('button', { name: 'Send the answer' }).click()
      await page.getByText('The answer was sent.').waitFor()
      await check('desk-sent')
      await page.getByRole('link', { name: 'Doorplate' }).click()
      await page.getByRole('heading', { level: 1, name: 'Doorplate' }).waitFor()
      await page.goto(server().origin + wait)
      await page.getByRole('heading', { name: 'Your answer' }).waitFor()
      await check('answered')
    },
    60_000,
  )

  it('says in the form why nothing is inspected', async () => {
    const page = await open('/inspect')
    // The status of the answer is a line on the console too.
    page.removeAllListeners('console')
    await page.getByLabel('Address of a site').fill('http://192.168.0.1/')
    await page.getByRole('button', { name: 'Inspect', exact: true }).click()
    await page.getByRole('alert').getByText('only goes to public sites').waitFor()
    const field = page.getByLabel('Address of a site')
    expect(await field.getAttribute('aria-describedby')).toBe('refusal')
    expect(await field.inputValue()).toBe('http://192.168.0.1/')
    expect(await page.evaluate('document.activeElement.id')).toBe('url')
    await keep(page, 'inspect-refusal-desktop-light')
  })

  it('shows both sides of what an agent does, and sends it again', async () => {
    const page = await open('/', { viewport: SIZES.phone })
    for (const id of ['find', 'read', 'ask']) {
      const wire = page.locator(`#wire-${id}`)
      await wire.locator('summary').click()
      expect(await wire.locator('[data-answer]').textContent()).toMatch(/^HTTP 200\n/)
      await wire.getByRole('button', { name: 'Send it from here' }).click()
      await wire.getByText(/^Answered 200 in/).waitFor()
    }
    expect(await page.locator('#wire-ask [data-answer]').textContent()).toContain('20.18.1')
    expect(await page.evaluate(EXCESS)).toBeLessThanOrEqual(0)
    await keep(page, 'home-open-phone-light')
  })
})

// What runs inside the page is text: this program has no DOM.
const ROOM =
  "document.querySelector('h1').getBoundingClientRect().top - document.querySelector('header').getBoundingClientRect().bottom"
const EXCESS = 'document.documentElement.scrollWidth - innerWidth'
const SHIFT = `new Promise((resolve) => {
  let shift = 0
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) shift += entry.value
  }).observe({ type: 'layout-shift', buffered: true })
  setTimeout(() => resolve(shift), 150)
})`
const FOCUSED = `({
  place: document.activeElement.closest('main') === null ? -1 : [...document.querySelectorAll('main *')].indexOf(document.activeElement),
  outline: getComputedStyle(document.activeElement).outlineStyle,
})`

/** Tells what came over the wire since it was asked last. */
async function scalesOf(page: Page): Promise<() => number> {
  let bytes = 0
  const session = await page.context().newCDPSession(page)
  await session.send('Network.enable')
  await session.send('Network.setCacheDisabled', { cacheDisabled: true })
  session.on('Network.loadingFinished', ({ encodedDataLength }) => {
    bytes += encodedDataLength
  })
  return () => {
    const weight = bytes
    bytes = 0
    return weight
  }
}
