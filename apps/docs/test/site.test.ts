import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { startServer } from '@internal/loopback'
import axe from 'axe-core'
import { chromium, type Browser, type Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { attributes, builtPages, fileAt, serveFile, weightOf, type BuiltPage } from './built-site.js'

const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium'
const WANTED = process.env.TEST_DOCS === '1'
const WHY_NOT = WANTED ? '' : ' (skipped: TEST_DOCS is not 1)'
/** Bytes of the HTML of a page, and of what its first visit transfers, the index of the search excepted. */
const MOST_BYTES = 100_000

/** What newcomers look for, and a page that has to be among the first three that are found. */
const SEARCHES = [
  ['SSRF', '/guides/secure-fetching'],
  ['chatbot', '/guides/answer-questions'],
  ['docker', '/reference/reference-server'],
  ['metrics', '/reference/reference-server'],
  ['logging', '/reference/reference-server'],
  ['monitoring', '/reference/reference-server'],
  ['WordPress', '/guides/be-found'],
  ['human handoff', '/guides/hand-over-to-people'],
  ['CI', '/guides/certify'],
  ['crawl', '/guides/mirror'],
  ['sitemap for AI', '/guides/publish'],
  ['private network', '/guides/secure-fetching'],
  ['robots', '/guides/be-found'],
  ['llms.txt', '/guides/llms-txt-to-mode3'],
  ['OpenAI', '/guides/build-an-agent'],
] as const

/** The button of the search shows its keys beside its name. */
const RULES = `rules: { 'label-content-name-mismatch': { enabled: false } }`
const VIOLATIONS = `axe.run(document, { preload: false, runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'], ${RULES} })
  .then(({ violations }) => violations.map(({ id, nodes }) => [id, nodes.slice(0, 3).map(({ html }) => html)]))`

describe.skipIf(!WANTED)(`the site${WHY_NOT}`, () => {
  let pages: readonly BuiltPage[]

  beforeAll(async () => {
    const root = join(import.meta.dirname, '..')
    const run = promisify(execFile)
    // Undocumented exports, unexplained error codes, and options without a unit or default end the first of these.
    await run(process.execPath, ['scripts/generate.js'], { cwd: root })
    await run(process.execPath, ['node_modules/vitepress/bin/vitepress.js', 'build'], { cwd: root })
    pages = builtPages()
  }, 300_000)

  it('has every link lead somewhere, anchors included', () => {
    const anchors = new Map(pages.map(({ path, html }) => [path, new Set(idsIn(html))]))
    const dead = pages.flatMap(({ path, html }) =>
      attributes(html, 'a', 'href')
        .map((href) => new URL(href, `http://site.test${path}`))
        .filter((url) => url.host === 'site.test')
        .filter(({ pathname, hash }) => {
          const page = pathname.endsWith('/') ? `${pathname}index.html` : pathname
          if (fileAt(page) === undefined) return true
          return hash !== '' && anchors.get(page)?.has(decodeURIComponent(hash.slice(1))) === false
        })
        .map(({ pathname, hash }) => `${path} -> ${pathname}${hash}`),
    )
    expect(pages.length).toBeGreaterThan(80)
    expect(dead).toEqual([])
  })

  it('loads nothing from elsewhere', () => {
    const loaded = pages.flatMap(({ html }) => [
      ...attributes(html, 'link', 'href'),
      ...attributes(html, 'script', 'src'),
      ...attributes(html, 'img', 'src'),
    ])
    expect([...new Set(loaded)].filter((url) => !url.startsWith('/'))).toEqual([])
  })

  it('has no heavy page', () => {
    const heavy = pages
      .map((page) => ({ path: page.path, html: Buffer.byteLength(page.html), transferred: weightOf(page) }))
      .filter(({ html, transferred }) => Math.max(html, transferred) >= MOST_BYTES)
    expect(heavy).toEqual([])
  })

  it('says of each page what it is about, and of no two the same', () => {
    const told = pages
      .filter(({ path }) => path !== '/404.html')
      .map(({ path, html }) => ({
        path,
        title: /<title>([^<]*)</.exec(html)?.[1],
        description: /<meta name="description" content="([^"]*)"/.exec(html)?.[1],
      }))
    expect(told.filter(({ description = '' }) => description.length < 20)).toEqual([])
    const titles = told.map(({ title }) => title)
    expect(titles.filter((title, index) => titles.indexOf(title) !== index)).toEqual([])
  })

  it('lets only texts be improved that are kept', () => {
    const improved = pages.flatMap(({ path, html }) =>
      attributes(html, 'a', 'href')
        .filter((href) => href.includes('/edit/main/'))
        .map((href) => ({ path, file: href.replace(/.*\/edit\/main\//, '') })),
    )
    expect(improved.length).toBeGreaterThan(50)
    expect(improved.filter(({ file }) => file.startsWith('apps/docs/site/reference/'))).toEqual([])
    expect(improved.filter(({ file }) => !existsSync(join(import.meta.dirname, '../../..', file)))).toEqual(
      [],
    )
  })

  it('has no table with a column that nobody named', () => {
    expect(pages.filter(({ html }) => /<th[^>]*><\/th>/.test(html)).map(({ path }) => path)).toEqual([])
  })

  it('shows no element of HTML as text in a code block', () => {
    const raw = pages.filter(({ html }) =>
      /<code[^>]*>(?:(?!<\/code>)[^])*&lt;a (?:class="rule" )?id=/.test(html),
    )
    expect(raw.map(({ path }) => path)).toEqual([])
  })

  it('says where there is no page, also without scripts', () => {
    const { html = '' } = pages.find(({ path }) => path === '/404.html') ?? {}
    expect(html).toMatch(/<noscript>.*<h1>There is no such page<\/h1>.*<a href="\/guides\/">/)
  })

  it('has an anchor for each rule of the specifications', async () => {
    const { loadRequirements } = await import('@internal/vectors')
    const ids = new Set(pages.flatMap(({ html }) => idsIn(html)))
    const rules = ['aadp/v1.0', 'aadp/v0.1', 'ahp/v0.1'].flatMap((text) => loadRequirements(text))
    expect(rules.length).toBeGreaterThan(700)
    expect(rules.filter(({ id }) => !ids.has(id))).toEqual([])
  })

  describe.skipIf(!existsSync(CHROMIUM))('in a browser', () => {
    let server: Awaited<ReturnType<typeof startServer>>
    let browser: Browser
    beforeAll(async () => {
      server = await startServer(serveFile)
      browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] })
    })
    afterAll(async () => {
      await browser.close()
      await server.close()
    })

    /** A page that fails the test for whatever it asks elsewhere or complains about. */
    async function open(path: string): Promise<{ page: Page; complaints: string[] } & AsyncDisposable> {
      const context = await browser.newContext({ viewport: { width: 1280, height: 800 } })
      const page = await context.newPage()
      const complaints: string[] = []
      page.on('request', (request) => {
        if (!request.url().startsWith(server.origin)) complaints.push(`asked for ${request.url()}`)
      })
      page.on('console', (message) => {
        if (message.type() === 'error') complaints.push(message.text())
      })
      page.on('pageerror', (error) => complaints.push(error.message))
      await page.goto(server.origin + path)
      return { page, complaints, [Symbol.asyncDispose]: () => context.close() }
    }

    it('explains itself in one screen, and leads on', async () => {
      await using opened = await open('/')
      const { page, complaints } = opened
      for (const name of ['Find', 'Read', 'Ask']) {
        const box = await page.getByRole('heading', { name: new RegExp(`^${name} `) }).boundingBox()
        expect(box?.y).toBeLessThan(800)
      }
      await page.getByRole('link', { name: 'Publish in five minutes' }).click()
      await page.getByRole('heading', { level: 1, name: 'Publish in five minutes' }).waitFor()
      expect(complaints).toEqual([])
    })

    it('finds by the search of its own', async () => {
      await using opened = await open('/guides/')
      const { page, complaints } = opened
      const box = page.getByRole('searchbox')
      // The page listens once its script runs.
      await expect.poll(async () => (await page.keyboard.press('Control+k'), box.isVisible())).toBe(true)
      await box.fill('idempotency key')
      const results = page.getByRole('option')
      await results.first().waitFor()
      await results.first().click()
      await page.waitForURL((url) => !url.pathname.endsWith('/guides/'))
      await expect.poll(() => page.locator('.vp-doc').textContent()).toMatch(/idempoten/i)
      expect(complaints).toEqual([])
    })

    it.each(SEARCHES)('leads who looks for "%s" to %s', async (words, wanted) => {
      await using opened = await open('/guides/')
      const { page, complaints } = opened
      const box = page.getByRole('searchbox')
      await expect.poll(async () => (await page.keyboard.press('Control+k'), box.isVisible())).toBe(true)
      await box.fill(words)
      await page.getByRole('option').first().waitFor()
      const links = await page
        .getByRole('option')
        .evaluateAll((options) =>
          options.map((option) => option.querySelector('a')?.getAttribute('href') ?? ''),
        )
      expect(links.slice(0, 3).map((link) => link.replace(/(\.html)?(#.*)?$/, ''))).toContain(wanted)
      expect(complaints).toEqual([])
    })

    it('says where there is no page, and leads on', async () => {
      await using opened = await open('/nowhere.html')
      const { page } = opened
      await page.getByRole('heading', { level: 1, name: 'There is no such page' }).waitFor()
      await page.getByRole('button', { name: 'search', exact: true }).click()
      await page.getByRole('searchbox').waitFor()
      await page.keyboard.press('Escape')
      await page.getByRole('link', { name: 'How do I …?' }).first().click()
      await page.getByRole('heading', { level: 1, name: 'How do I …?' }).waitFor()
    })

    it('is dark for whoever wants it, and stays so', async () => {
      await using opened = await open('/guides/publish.html')
      const { page, complaints } = opened
      const isDark = (): Promise<boolean> => page.evaluate(`document.documentElement.matches('.dark')`)
      expect(await isDark()).toBe(false)
      await page.getByRole('switch').first().click()
      expect(await isDark()).toBe(true)
      await page.reload()
      expect(await isDark()).toBe(true)
      expect(complaints).toEqual([])
    })

    it('leads to a rule by its id', async () => {
      await using opened = await open('/reference/spec/aadp-1-0.html#AADP1-MAN-012')
      const { page, complaints } = opened
      const rule = page.locator('#AADP1-MAN-012')
      await rule.waitFor()
      await expect.poll(async () => (await rule.boundingBox())?.y ?? -1).toBeLessThan(800)
      expect(complaints).toEqual([])
    })

    it.each([
      '/',
      '/guides/',
      '/guides/publish.html',
      '/reference/errors.html',
      '/reference/benchmarks.html',
    ])('fits a telephone: %s', async (path) => {
      await using opened = await open(path)
      const { page } = opened
      await page.setViewportSize({ width: 360, height: 740 })
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(360)
    })

    it('names all three ways on the first screen of a telephone', async () => {
      await using opened = await open('/')
      const { page } = opened
      await page.setViewportSize({ width: 390, height: 844 })
      for (const name of ['Find', 'Read', 'Ask']) {
        const box = await page.getByRole('link', { name, exact: true }).boundingBox()
        expect((box?.y ?? NaN) + (box?.height ?? 0)).toBeLessThan(844)
      }
    })

    it.each(['/guides/', '/reference/errors.html', '/reference/benchmarks.html'])(
      'cuts nothing of a table on a telephone: %s',
      async (path) => {
        await using opened = await open(path)
        const { page } = opened
        await page.setViewportSize({ width: 390, height: 844 })
        const cut = await page
          .locator('.vp-doc table, .vp-doc td')
          .evaluateAll(
            (parts) => parts.filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth).length,
          )
        expect(cut).toBe(0)
      },
    )

    it('shows which tab has the keyboard', async () => {
      await using opened = await open('/guides/publish.html')
      const { page } = opened
      const tab = page.locator('.vp-code-group .tabs label').first()
      const outline = (): Promise<string> => tab.evaluate((label) => getComputedStyle(label).outlineStyle)
      expect(await outline()).toBe('none')
      for (let presses = 0; presses < 80 && (await outline()) === 'none'; presses++)
        await page.keyboard.press('Tab')
      expect(await outline()).toBe('solid')
    })

    it.each(['/', '/guides/publish.html', '/guides/', '/reference/benchmarks.html', '/nowhere.html'])(
      'shuts nobody out: %s',
      async (path) => {
        await using opened = await open(path)
        const { page } = opened
        await page.locator('h1').waitFor()
        for (const colorScheme of ['light', 'dark'] as const) {
          await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
          await page.evaluate(axe.source)
          expect(await page.evaluate(VIOLATIONS), colorScheme).toEqual([])
        }
      },
    )
  })
})

function idsIn(html: string): string[] {
  return [...html.matchAll(/ id="([^"]+)"/g)].map(([, id = '']) => id)
}
