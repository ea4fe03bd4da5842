import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import axe from 'axe-core'
import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect } from 'vitest'
import { startReferenceServer, type ReferenceServer } from '../src/reference-server.js'
import { assetsFolder, repository, testSettings } from './project.js'

const CHROMIUM = process.env['CHROMIUM'] ?? '/usr/bin/chromium'
const SCREENSHOTS =
  process.env['SCREENSHOTS_DIR'] ?? fileURLToPath(new URL('../screenshots', import.meta.url))

// A browser without a graphics card draws no picture that is much higher.
const MAX_HEIGHT = 6000
const PAGE_HEIGHT = 'document.documentElement.scrollHeight'

export const isMissing: boolean = !existsSync(CHROMIUM)
/** For the name of what is tested. */
export const whyNot: string = isMissing ? ` (skipped: ${CHROMIUM} is missing)` : ''

export const SIZES = { desktop: { width: 1280, height: 900 }, phone: { width: 390, height: 844 } } as const

/** This server with this project's documents, and a browser that visits it. */
export interface Visit {
  readonly server: () => ReferenceServer
  readonly browser: () => Browser
  /** A page that notes every complaint and every request to another origin: the test then fails. Empty without a path. */
  readonly open: (path: string | undefined, options?: BrowserContextOptions) => Promise<Page>
  /** Keeps what a page looks like, for people. */
  readonly keep: (page: Page, name: string) => Promise<void>
}

const STANDARDS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

/** What keeps somebody from using the page, by axe, with the beginning of each element. */
export async function violationsOf(page: Page): Promise<readonly string[]> {
  await page.evaluate(axe.source)
  const options = { preload: false, runOnly: STANDARDS }
  return page.evaluate<string[]>(`axe.run(document, ${JSON.stringify(options)})
    .then(({ violations }) => violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html.slice(0, 120)).join(' | ')))`)
}

/** For all tests of a file; called while they are declared. */
export function visitServer(): Visit {
  let dataDir: string
  let server: ReferenceServer
  let browser: Browser
  const complaints: string[] = []

  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'browser-'))
    server = await startReferenceServer(testSettings(dataDir, { records: 120 }), {
      ...{ projectRoot: repository, assetsFolder, now: Date.now },
      log: (line) => complaints.push(line),
    })
    const quiet = ['--no-first-run', '--disable-background-networking', '--disable-component-update']
    browser = await chromium.launch({
      executablePath: CHROMIUM,
      args: ['--no-sandbox', '--disable-gpu', '--disable-sync', '--disable-quic', ...quiet],
    })
    await mkdir(SCREENSHOTS, { recursive: true })
  }, 60_000)

  afterEach(async () => {
    for (const context of browser.contexts()) await context.close()
    expect(complaints.splice(0)).toEqual([])
  })

  afterAll(async () => {
    await browser.close()
    await server.stop({ graceMs: 0 })
    await rm(dataDir, { recursive: true, force: true })
  })

  return {
    server: () => server,
    browser: () => browser,
    async open(path, options = {}) {
      const page = await (await browser.newContext({ reducedMotion: 'reduce', ...options })).newPage()
      page.on('console', (message) => {
        if (['error', 'warning'].includes(message.type())) complaints.push(message.text())
      })
      page.on('pageerror', (error) => complaints.push(error.message))
      page.on('request', (request) => {
        if (new URL(request.url()).origin !== server.origin) complaints.push(`request to ${request.url()}`)
      })
      if (path !== undefined) await page.goto(server.origin + path)
      return page
    },
    async keep(page, name) {
      const { width = 0 } = page.viewportSize() ?? {}
      const height = Math.min(await page.evaluate<number>(PAGE_HEIGHT), MAX_HEIGHT)
      await page.setViewportSize({ width, height })
      await page.screenshot({ path: join(SCREENSHOTS, `${name}.png`) })
    },
  }
}
