import { describe, expect, it } from 'vitest'
import { readPage } from '../src/index.js'
import { startSite } from './start-site.js'

const HTML =
  '<!doctype html><head><title>Installation guide</title><link rel="ahp-manifest" href="/m"></head><body><h1>Installation</h1><p>Run <code>npm i</code>.</p></body>'
const page = { type: 'text/html', body: HTML }
const LLMS = { type: 'text/plain', body: '# Example\n- [a](/a)' }

describe('readPage', () => {
  it('returns HTML untouched, with resources beside it, and asks for nothing else', async () => {
    const site = await startSite({ '/': page, '/llms.txt': LLMS })
    const result = await readPage(site.origin, { fetch: site.fetch, format: 'html' })
    expect(result.content).toBe(HTML)
    expect(result.resources.map(({ kind }) => kind)).toEqual(['ahp-manifest'])
    expect(site.requests).toEqual(['GET /'])
  })

  it('converts to Markdown, probes and appends what it found', async () => {
    const site = await startSite({ '/': page, '/llms.txt': LLMS })
    const { content, markdownSource } = await readPage(site.origin, { fetch: site.fetch, format: 'markdown' })
    expect(markdownSource).toBe('converted')
    expect(content).toBe(
      `# Installation\n\nRun \`npm i\`.\n\n## Agent resources\n\n- llms-txt <${site.origin}/llms.txt> (verified)\n- ahp-manifest <${site.origin}/m> (absent, status\\-404)\n`,
    )
  })

  it('appends nothing where there is nothing', async () => {
    const site = await startSite({ '/': { type: 'text/html', body: '<p>x' } })
    expect((await readPage(site.origin, { fetch: site.fetch, format: 'markdown' })).content).toBe('x\n')
  })

  it('prefers Markdown that the site negotiates', async () => {
    const site = await startSite({
      '/': (request, response) => {
        const markdown = request.headers.accept?.startsWith('text/markdown') === true
        response
          .setHeader('content-type', markdown ? 'text/markdown' : 'text/html')
          .end(markdown ? '# Own\n' : HTML)
      },
    })
    const result = await readPage(site.origin, { fetch: site.fetch, format: 'markdown', probe: false })
    expect(result).toMatchObject({ markdownSource: 'negotiated', content: '# Own\n' })
    expect(site.requests).toEqual(['GET /'])
  })

  it('rejects a negotiated error page and says why (case 12)', async () => {
    const site = await startSite({
      '/docs/install': (request, response) => {
        const markdown = request.headers.accept?.startsWith('text/markdown') === true
        response
          .setHeader('content-type', markdown ? 'text/markdown; charset=utf-8' : 'text/html')
          .end(markdown ? '# Page Not Found\n\nThe URL does not exist.' : HTML)
      },
    })
    const result = await readPage(`${site.origin}/docs/install`, {
      fetch: site.fetch,
      format: 'markdown',
      probe: false,
    })
    expect(result.markdownSource).toBe('converted')
    expect(result.rejectedMarkdown).toEqual([
      { source: 'negotiated', reasons: ['not-found-heading', 'no-overlap-with-html-title'] },
    ])
    expect(result.content).toMatch(/^# Installation/)
  })

  it('uses a linked Markdown copy if it is real', async () => {
    const linked = {
      type: 'text/html',
      body: `<link rel="alternate" type="text/markdown" href="/x.md">${HTML}`,
    }
    const good = await startSite({
      '/': linked,
      '/x.md': { type: 'text/markdown', body: 'Installation notes' },
    })
    expect(
      await readPage(good.origin, { fetch: good.fetch, format: 'markdown', probe: false }),
    ).toMatchObject({
      markdownSource: 'alternate',
      content: expect.stringMatching(/^Installation notes\n/) as unknown,
    })
    const bad = await startSite({ '/': linked, '/x.md': { type: 'text/html', body: HTML } })
    expect(await readPage(bad.origin, { fetch: bad.fetch, format: 'markdown', probe: false })).toMatchObject({
      markdownSource: 'converted',
      rejectedMarkdown: [{ source: 'alternate', reasons: ['html-for-text'] }],
    })
  })

  it('escapes what the site calls its resources', async () => {
    const site = await startSite({
      '/': {
        type: 'text/html',
        body: '<link rel="ard" href="https://x.example/a" title="](http://evil) **now** <b>">',
      },
    })
    const { content } = await readPage(site.origin, { fetch: site.fetch, format: 'markdown', probe: false })
    expect(content).toContain(String.raw`: "\]\(http\://evil\) \*\*now\*\* \<b\>" (advertised)`)
  })

  it('throws only if there is no page at all', async () => {
    const site = await startSite({
      '/': (_request, response) => response.destroy(),
      '/gone': { status: 410 },
    })
    await expect(readPage(site.origin, { fetch: site.fetch, format: 'html' })).rejects.toMatchObject({
      code: 'page_unreachable',
      cause: { code: 'network_error' },
    })
    expect(await readPage(`${site.origin}/gone`, { fetch: site.fetch, format: 'html' })).toMatchObject({
      status: 410,
      content: '',
    })
    await expect(readPage(site.origin, { format: 'pdf' as 'html' })).rejects.toMatchObject({
      code: 'invalid_option',
      option: 'format',
    })
  })

  it('gives the whole copy that a page links to', async () => {
    const copy = `# A\n\n${'text\n'.repeat(50_000)}`
    const site = await startSite({
      '/': {
        type: 'text/html',
        body: '<title>A</title><link rel=alternate type=text/markdown href=/copy.md>',
      },
      '/copy.md': { type: 'text/markdown', body: copy },
    })
    const options = { fetch: site.fetch, format: 'markdown' } as const
    const whole = await readPage(site.origin, options)
    expect(whole).toMatchObject({ markdownSource: 'alternate', truncated: false })
    expect(whole.content).toContain(copy.trimEnd())
    const part = await readPage(site.origin, { ...options, maxPageBytes: 10_000 })
    expect(part).toMatchObject({ markdownSource: 'alternate', truncated: true })
  })

  it('says so where it converts only the beginning of a page', async () => {
    const site = await startSite({ '/': { type: 'text/html', body: `<p>${'x'.repeat(4_194_304)}` } })
    const result = await readPage(site.origin, { fetch: site.fetch, format: 'markdown' })
    expect(result).toMatchObject({ markdownSource: 'converted', truncated: true })
  })

  it('reads an encoding that is declared after the first packet', async () => {
    const site = await startSite({
      '/': (_request, response) => {
        response.setHeader('content-type', 'text/html')
        response.write('<!doctype html><head>', () =>
          setTimeout(
            () =>
              response.end(
                Buffer.concat([Buffer.from('<meta charset=windows-1251><p>'), Buffer.from([0xcf])]),
              ),
            20,
          ),
        )
      },
    })
    expect((await readPage(site.origin, { fetch: site.fetch, format: 'html' })).content).toMatch(/П$/)
  })
})
