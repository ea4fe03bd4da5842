import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { isMissing, visitServer, whyNot } from './browser.js'

describe.skipIf(isMissing)(`in a browser${whyNot}`, () => {
  const { server, browser, open } = visitServer()

  it('every link of every page works', async () => {
    const page = await open('/')
    const waiting = ['/']
    const seen = new Set(waiting)
    for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
      const response = await page.goto(server().origin + path)
      expect(response?.status(), path).toBe(200)
      for (const href of await page.evaluate<string[]>(
        `[...document.querySelectorAll('a, link')].map((a) => a.href)`,
      )) {
        const url = new URL(href)
        if (url.origin !== server().origin || seen.has(url.pathname)) continue
        seen.add(url.pathname)
        if (/^\/(docs\/|license|catalogue\/?(?!record|package))/.test(url.pathname))
          waiting.push(url.pathname)
        else if (!/^\/desk$|order\.json$/.test(url.pathname))
          expect((await page.request.get(href)).status(), `${path} -> ${href}`).toBe(200)
      }
      expect(await page.evaluate(DANGLING_ANCHORS), path).toEqual([])
      expect(await page.evaluate(NAMELESS), path).toEqual([])
      expect(await page.evaluate(SKIPPED_LEVELS), path).toEqual([])
    }
    expect([...seen]).toEqual(
      expect.arrayContaining(['/docs/spec/aadp-v1-0', '/docs/guide/overview', '/license']),
    )
  }, 60_000)

  it.each(['/', '/docs/spec/aadp-v1-0', '/license', '/ask'])(
    '%s has names for its parts and one title',
    async (path) => {
      const page = await open(path)
      expect(await page.title()).toContain('Doorplate')
      expect(await page.locator('html').getAttribute('lang')).toBe('en')
      expect(await page.getByRole('main').count()).toBe(1)

      expect(await page.evaluate<string[]>(LINK_NAMES)).not.toContain('')
      expect(await page.getByRole('heading', { level: 1 }).count()).toBe(1)
      for (const nav of await page.getByRole('navigation').all())
        expect(await nav.getAttribute('aria-label')).not.toBeNull()
    },
  )

  it('names each JSON link after its document', async () => {
    const page = await open('/')
    const names = (await page.evaluate<string[]>(LINK_NAMES)).filter((name) => name.endsWith(' as JSON'))
    expect(names.length).toBeGreaterThan(3)
    expect(new Set(names).size).toBe(names.length)
  })

  it('is used with the keyboard', async () => {
    const page = await open('/')
    await page.keyboard.press('Tab')
    const skip = page.getByRole('link', { name: 'Skip to the content' })
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Skip to the content')
    expect((await skip.boundingBox())?.x).toBeGreaterThanOrEqual(0)
    await page.keyboard.press('Enter')
    await page.keyboard.press('Tab')
    const focused = await page.evaluate(
      `({ isInside: document.activeElement.closest('main') !== null, outline: getComputedStyle(document.activeElement).outlineStyle })`,
    )
    expect(focused).toEqual({ isInside: true, outline: 'solid' })
  })

  it.each(['light', 'dark'] as const)('can be read in %s', async (colorScheme) => {
    const page = await open('/', { colorScheme })
    for (const selector of ['body', 'nav a', '.shelf h3 a', '.facts code', '.steps p', '.gist', '.lead']) {
      const { ink, paper } = await colorsOf(page, selector)
      expect(contrast(ink, paper), selector).toBeGreaterThanOrEqual(4.5)
    }
    const isDark = luminance((await colorsOf(page, 'body')).paper) < 0.5
    expect(isDark).toBe(colorScheme === 'dark')
  })

  it.each([true, false])(
    'answers, and goes on in the same session (scripts: %s)',
    async (javaScriptEnabled) => {
      const page = await open('/ask', { javaScriptEnabled })
      await page.getByLabel('Your question').fill('Which Node.js does it need?')
      await page.getByRole('button', { name: 'Ask', exact: true }).click()
      await page.locator('.answer').getByText('20.18.1').waitFor()
      const source = page.locator('.sources a').first()
      expect(await source.getAttribute('href')).toMatch(/^\/docs\/guide\/[a-z]+#[a-z-]+$/)

      await page.getByLabel('Your question').fill('What did I just ask?')
      await page.getByRole('button', { name: 'Ask', exact: true }).click()
      await page.locator('.answer').getByText('Which Node.js does it need?').waitFor()
      expect(await page.locator('.exchange').count()).toBe(javaScriptEnabled ? 2 : 1)
    },
  )

  it('takes a choice where it asks back', async () => {
    const page = await open('/ask')
    await page.getByLabel('Your question').fill('errors')
    await page.getByRole('button', { name: 'Ask', exact: true }).click()
    await page.locator('.reply .choices button').first().click()
    await page.locator('.answer').waitFor()
    expect(await page.locator('.choices').count()).toBe(0)
  })

  it.each(['light', 'dark'] as const)(
    'hands over to a person, who answers at the desk (%s)',
    async (colorScheme) => {
      const visitor = await open('/ask', { colorScheme, viewport: { width: 390, height: 800 } })
      const query = `Which Node.js do you like, in ${colorScheme}?`
      await visitor.getByLabel('Your question').fill(query)
      await visitor.getByRole('button', { name: 'Ask', exact: true }).click()
      await visitor.getByRole('button', { name: 'Ask a person instead' }).click()
      await visitor.getByRole('heading', { name: 'Somebody is asked' }).waitFor()
      const { ink, paper } = await colorsOf(visitor, '#live p')
      expect(contrast(ink, paper)).toBeGreaterThanOrEqual(4.5)

      const httpCredentials = { username: 'ann', password: server().tokens.operator }
      const desk = await (await browser().newContext({ httpCredentials, colorScheme })).newPage()
      await desk.goto(`${server().origin}/desk`)
      await desk.getByRole('link', { name: query }).click()
      await desk.getByRole('button', { name: /take|claim/i }).click()
      await desk.locator('textarea[name=answer]').fill('The newest, <b>mostly</b>.')
      await desk.getByRole('button', { name: /answer|send/i }).click()

      await visitor.getByRole('heading', { name: 'Your answer' }).waitFor()
      expect(await visitor.locator('.answer').textContent()).toContain('The newest, <b>mostly</b>.')
    },
  )

  it.each([320, 390, 800])('fits a window %i pixels wide', async (width) => {
    const page = await open('/', { viewport: { width, height: 800 } })
    for (const path of ['/', '/docs/spec/aadp-v1-0', '/docs/guide/overview', '/license', '/ask']) {
      await page.goto(server().origin + path)
      const excess = await page.evaluate('document.documentElement.scrollWidth - innerWidth')
      expect(excess, path).toBeLessThanOrEqual(0)
    }
  })
})

// What runs inside the page is text: this program has no DOM.
const LINK_NAMES = `[...document.querySelectorAll('a')].map((a) => (a.getAttribute('aria-label') ?? a.textContent).trim())`
const NAMELESS = `[...document.querySelectorAll('main :is(h1, h2, h3, h4, h5, h6, th, a, summary)')]
  .filter((element) => element.textContent.trim() === '' && !element.hasAttribute('aria-label'))
  .map((element) => element.outerHTML)`
const SKIPPED_LEVELS = `[...document.querySelectorAll('article :is(h1, h2, h3, h4, h5, h6)')]
  .filter((heading, place, all) => Number(heading.tagName[1]) > Number(all[place - 1]?.tagName[1] ?? 0) + 1)
  .map((heading) => heading.outerHTML)`
const DANGLING_ANCHORS = `[...document.querySelectorAll('a[href^="#"]')]
  .map((a) => a.getAttribute('href').slice(1))
  .filter((id) => document.getElementById(decodeURIComponent(id)) === null)`

type Color = readonly [red: number, green: number, blue: number]

/** Colour of the text, and of what is behind it. */
async function colorsOf(page: Page, selector: string): Promise<{ ink: Color; paper: Color }> {
  const found = await page.evaluate<{ ink: string; paper: string }>(`(() => {
    const element = document.querySelector(${JSON.stringify(selector)})
    let behind = element
    while (behind.parentElement && getComputedStyle(behind).backgroundColor === 'rgba(0, 0, 0, 0)') behind = behind.parentElement
    return { ink: getComputedStyle(element).color, paper: getComputedStyle(behind).backgroundColor }
  })()`)
  return { ink: rgb(found.ink), paper: rgb(found.paper) }
}

function rgb(color: string): Color {
  const [red = NaN, green = NaN, blue = NaN] = (color.match(/[\d.]+/g) ?? []).map(Number)
  return [red, green, blue]
}

/** WCAG 2.2, contrast ratio. */
function contrast(left: Color, right: Color): number {
  const [dark = 0, light = 0] = [luminance(left), luminance(right)].sort((a, b) => a - b)
  return (light + 0.05) / (dark + 0.05)
}

/** WCAG 2.2, relative luminance. */
function luminance(color: Color): number {
  const [red, green, blue] = color.map((part) => {
    const share = part / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  }) as [number, number, number]
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
