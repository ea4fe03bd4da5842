import { existsSync } from 'node:fs'
import { createServer } from 'node:http'
import { listen } from '@internal/loopback'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { ANN, BOB, READER } from './help-line.js'
import { type DeskSite, openDeskSite } from './desk-site.js'

const CHROMIUM = process.env['CHROMIUM'] ?? '/usr/bin/chromium'
const isMissing = !existsSync(CHROMIUM)

/** Texts that run, hide or reorder something wherever they are not escaped. */
const ATTACKS = [
  '<script>window.hit = 1</script>',
  '<img src=x onerror="window.hit=1">',
  '"><svg onload=window.hit=1>',
  `' autofocus onfocus='window.hit=1`,
  '</textarea></title></style></blockquote><script>window.hit = 1</script>',
  'javascript:window.hit=1',
  '&lt;b&gt;&#60;script&#62;',
  '\u202eevil\u0000\u001b[2J\u2066',
  '${window.hit=1}{{window.hit=1}}',
]

describe.skipIf(isMissing)(
  `the desk in a browser${isMissing ? ` (skipped: ${CHROMIUM} is missing)` : ''}`,
  () => {
    let browser: Browser
    let site: DeskSite
    let complaints: string[]

    beforeAll(async () => {
      browser = await chromium.launch({
        executablePath: CHROMIUM,
        args: ['--no-sandbox', '--disable-gpu', '--disable-sync', '--disable-quic', '--no-first-run'].concat(
          '--disable-background-networking',
          '--disable-component-update',
        ),
      })
    })
    afterAll(() => browser.close())
    beforeEach(async () => {
      complaints = []
      site = await openDeskSite({ desk: { pollMs: 500 } })
    })
    afterEach(async () => {
      for (const context of browser.contexts()) await context.close()
      await site.close()
      expect(complaints).toEqual([])
      expect(site.deskFaults).toEqual([])
    })

    /** A page of an operator that notes every error and every request elsewhere. */
    async function open(
      path: string,
      { as = 'ann', ...options }: BrowserContextOptions & { readonly as?: string } = {},
    ): Promise<Page> {
      const context = await browser.newContext(options)
      context.setDefaultTimeout(10_000)
      await context.addCookies([{ name: 'operator', value: `${as}-secret`, url: site.origin }])
      const page = await context.newPage()
      page.on('console', (message) => {
        const isExpected = message.text().includes('status of 4')
        if (['error', 'warning'].includes(message.type()) && !isExpected) complaints.push(message.text())
      })
      page.on('pageerror', (error) => complaints.push(error.message))
      page.on('request', (request) => {
        if (new URL(request.url()).origin !== site.origin) complaints.push(`request to ${request.url()}`)
      })
      await page.goto(site.origin + path)
      return page
    }

    it('answers a question with the keyboard alone', async () => {
      const id = await site.askPerson('Is Dune good?')
      const page = await open('/desk')
      await page.keyboard.press('Tab')
      expect(await page.evaluate('document.activeElement.textContent')).toBe('Skip to the content')
      await page.keyboard.press('Enter')
      await page.keyboard.press('Tab')
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { level: 1, name: 'Is Dune good?' }).waitFor()
      await tabTo(page, 'Take this question')
      await page.keyboard.press('Enter')
      await page.getByRole('textbox', { name: 'What the visitor is told' }).waitFor()
      await tabTo(page, 'answer')
      await page.keyboard.type('Yes, read it.')
      await tabTo(page, 'Send the answer')
      await page.keyboard.press('Enter')
      await page.getByText('The answer was sent.').waitFor()
      expect(await site.poll(id)).toMatchObject({ response: { answer: 'Yes, read it.' } })
    })

    it('shows news without a reload, reads them out, and leaves the focus where it was', async () => {
      const first = await site.askPerson('The first question')
      const page = await open('/desk')
      expect(await page.getByText('1 question waits.').getAttribute('role')).toBe('status')
      await page.evaluate('window.isSamePage = true')
      await page.getByRole('link', { name: 'The first question' }).focus()
      await site.askPerson('The second question')
      await page.getByRole('link', { name: 'The second question' }).waitFor()
      await page.getByText('2 questions wait.').waitFor()
      expect(await page.title()).toContain('2 questions wait')
      expect(await page.evaluate('document.activeElement.id')).toBe(`ticket-${first}`)
      expect(await page.evaluate('window.isSamePage')).toBe(true)
    })

    it('says on an open question that another has it, and keeps the text that was not sent', async () => {
      const id = await site.askPerson('Is Dune good?')
      const [ann, bob] = [await open(`/desk/tickets/${id}`), await open(`/desk/tickets/${id}`, { as: 'bob' })]
      await ann.getByRole('button', { name: 'Take this question' }).click()
      await ann.getByRole('textbox', { name: 'What the visitor is told' }).fill('Half an ans')
      await bob.getByText('Ann has taken it').waitFor()
      await bob.getByRole('button', { name: 'Take this question' }).click()
      const alert = bob.getByRole('alert')
      await alert.waitFor()
      expect(await alert.textContent()).toContain('Somebody else has taken')
      expect(await bob.evaluate('document.activeElement.id')).toBe('problem')

      site.pass(3_600_000)
      await ann.getByText('Nobody has taken it').waitFor()
      await site.concierge.inbox.claim(id, { operator: BOB })
      await ann.getByRole('button', { name: 'Send the answer' }).click()
      await ann.getByRole('alert').waitFor()
      expect(await site.poll(id)).toMatchObject({ status: 'pending' })
    })

    it('runs nothing that a stranger wrote, in any field', async () => {
      const ids: string[] = []
      for (const attack of ATTACKS) {
        const asked = await site.askPerson(attack.replaceAll('\u0000', ''), {
          input: { [attack]: attack },
          context: { requesting_agent: 'x', user_intent: attack.slice(0, 200) },
        })
        ids.push(asked)
      }
      const list = await open('/desk')
      expect(await list.getByRole('listitem').count()).toBe(ATTACKS.length)
      expect(await list.evaluate('document.querySelectorAll("script, img, svg, style").length')).toBe(2)
      for (const [place, id] of ids.entries()) {
        await site.concierge.inbox.claim(id, { operator: { ...ANN, name: ATTACKS[place] ?? '' } })
        await list.goto(`${site.origin}/desk/tickets/${id}`)
        const attack = ATTACKS[place] ?? ''
        if (!attack.includes('\u202e'))
          expect(await list.locator('blockquote').first().textContent()).toBe(attack)
        else for (const sign of '\u202e\u2066\u001b') expect(await list.content()).not.toContain(sign)
        // What an operator wrote comes back into the form when it is refused.
        await list
          .getByRole('textbox', { name: 'What the visitor is told' })
          .fill(`${attack} ${'x'.repeat(6000)}`)
        await list.getByRole('button', { name: 'Send the answer' }).click()
        await list.getByRole('alert').waitFor()
        expect(await list.evaluate('document.querySelectorAll("script, img, svg, style").length')).toBe(2)
        expect(await list.evaluate('window.hit')).toBeUndefined()
      }
    })

    it('would not run a script that got into a page', async () => {
      await site.askPerson('Is Dune good?')
      const page = await open('/desk')
      await page.evaluate(
        `document.getElementById('lists').insertAdjacentHTML('beforeend', '<img src="data:," onerror="window.hit = 1">')`,
      )
      await page.evaluate(
        `document.body.append(Object.assign(document.createElement('script'), { text: 'window.hit = 1' }))`,
      )
      await expect.poll(() => complaints.length).toBeGreaterThanOrEqual(2)
      expect(complaints.every((complaint) => complaint.includes('Content Security Policy'))).toBe(true)
      complaints.length = 0
      expect(await page.evaluate('window.hit')).toBeUndefined()
    })

    it('takes no form of another page, though the browser sends the cookie', async () => {
      const id = await site.askPerson('Is Dune good?')
      const claim = `${site.origin}/desk/tickets/${id}/claim`
      // Another port is the same site to a cookie, and another origin.
      const evil = await listen(
        createServer((_request, response) => {
          response.setHeader('content-type', 'text/html')
          response.end(
            `<link rel="icon" href="data:,"><form method="post" action="${claim}"><button>Win</button></form>`,
          )
        }),
        'http',
      )
      const page = await open('/desk')
      page.removeAllListeners('request')
      await page.goto(`http://127.0.0.1:${evil.port}/`)
      const [answered] = await Promise.all([
        page.waitForResponse(claim),
        page.getByRole('button', { name: 'Win' }).click(),
      ])
      expect((await answered.request().allHeaders())['cookie']).toContain('ann-secret')
      expect(answered.status()).toBe(403)
      expect((await site.concierge.inbox.read(id))?.claim).toBeUndefined()
      await evil.close()
    })

    it('works without its script', async () => {
      const id = await site.askPerson('How much?', { capability: 'quote' })
      const page = await open('/desk', { javaScriptEnabled: false })
      await page.getByRole('link', { name: 'How much?' }).click()
      await page.getByRole('button', { name: 'Take this question' }).click()
      await page.getByRole('textbox', { name: 'What the visitor is told' }).fill('Five.')
      await page.getByRole('textbox', { name: 'Price' }).fill('5')
      await page.getByRole('combobox', { name: 'binding', exact: true }).selectOption('cloth')
      await page.getByRole('button', { name: 'Send the answer' }).click()
      await page.getByText('The answer was sent.').waitFor()
      expect(await site.poll(id)).toMatchObject({ status: 'success' })
    })

    it.each(['light', 'dark'] as const)(
      'can be read in %s, with names for all its parts',
      async (colorScheme) => {
        const id = await site.askPerson('How much?', { capability: 'quote' })
        await site.concierge.inbox.claim(id, { operator: ANN })
        const page = await open('/desk', { colorScheme })
        for (const path of ['/desk', `/desk/tickets/${id}`]) {
          await page.goto(site.origin + path)
          expect(await page.locator('html').getAttribute('lang')).toBe('en')
          expect(await page.getByRole('main').count()).toBe(1)
          expect(await page.getByRole('heading', { level: 1 }).count()).toBe(1)
          expect(await page.evaluate(UNNAMED)).toEqual([])
          expect(await page.evaluate(LOW_CONTRASTS)).toEqual([])
        }
      },
    )

    it.each([320, 800])('fits a window %i pixels wide', async (width) => {
      const id = await site.askPerson('w'.repeat(400))
      await site.concierge.inbox.claim(id, { operator: ANN })
      const page = await open('/desk', { viewport: { width, height: 700 } })
      for (const path of ['/desk', `/desk/tickets/${id}`]) {
        await page.goto(site.origin + path)
        expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(
          0,
        )
      }
    })

    it('shows what was said before, and asked back', async () => {
      const asked = await site.ask({ query: 'What do you have?' }, { headers: READER })
      const { session_id } = asked.json as { session_id: string }
      const id = await site.askPerson('And cheaper?', { session_id })
      const page = await open(`/desk/tickets/${id}`)
      expect(await page.getByRole('listitem').textContent()).toContain('What do you have?')
    })
  },
)

/** Presses Tab until the element with this text or id has the focus. */
async function tabTo(page: Page, name: string): Promise<void> {
  for (let presses = 0; presses < 30; presses++) {
    await page.keyboard.press('Tab')
    const focused = await page.evaluate<readonly string[]>(
      '[document.activeElement.id, document.activeElement.textContent.trim()]',
    )
    if (focused.includes(name)) return
  }
  throw new Error(`Nothing called ${name} is reached by Tab.`)
}

// What runs inside the page is text: this program has no DOM.
const UNNAMED = `[...document.querySelectorAll('a, button, input, textarea, select')]
  .filter((part) => (part.labels?.[0]?.textContent ?? part.textContent).trim() === '')
  .map((part) => part.outerHTML)`

/** Texts whose contrast is below 4.5 (WCAG 2.2, 1.4.3). */
const LOW_CONTRASTS = `(() => {
  const luminance = (color) => {
    const [red, green, blue] = color.match(/[\\d.]+/g).map((part) => {
      const share = part / 255
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
    })
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
  }
  const behind = (part) => {
    while (part.parentElement && getComputedStyle(part).backgroundColor === 'rgba(0, 0, 0, 0)') part = part.parentElement
    return getComputedStyle(part).backgroundColor
  }
  return [...document.querySelectorAll('body *')]
    .filter((part) => [...part.childNodes].some((node) => node.nodeType === 3 && node.data.trim() !== '') && part.checkVisibility())
    .filter((part) => {
      const [dark, light] = [luminance(getComputedStyle(part).color), luminance(behind(part))].sort((a, b) => a - b)
      return (light + 0.05) / (dark + 0.05) < 4.5
    })
    .map((part) => part.outerHTML)
})()`
