import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { resolveVisitOptions } from '../../src/client/visit-options.js'
import { ScriptedSite, bookShop, success } from './scripted-site.js'

const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8')
const section = readFileSync(new URL('../../docs/client.md', import.meta.url), 'utf8')
const blocks = [...section.matchAll(/```js\n([^]*?)```/g)].map(([, code = '']) => code)

/** Runs a JavaScript block against a site on loopback, which has to be allowed by name. */
async function runExample(code: string, site: ScriptedSite, prelude = ''): Promise<string> {
  const script = code
    .replace(/visit\('https:\/\/books\.example'(?:, \{)?/g, (call) =>
      call.endsWith('{')
        ? `visit('${site.origin}', { fetch: testFetch,`
        : `visit('${site.origin}', { fetch: testFetch }`,
    )
    .concat('\nawait testFetch.close()')
  const head = `
    import { createSafeFetch } from '@doorplate/safe-fetch'
    const testFetch = createSafeFetch({ dangerouslyAllow: ['${site.host}'] })`
  return (await run(`${head}\n${prelude}\n${script}`)).replaceAll(site.origin, 'https://books.example')
}

/** What a program prints. */
async function run(program: string): Promise<string> {
  const options = { cwd: new URL('../..', import.meta.url) }
  return (await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', program], options))
    .stdout
}

describe('the README', () => {
  it('finds a site, asks, clarifies, delegates and collects the answer in its first example', async () => {
    await using site = await ScriptedSite.start(bookShop())
    site.onAsk(
      {
        body: {
          status: 'clarification_needed',
          session_id: 's-1',
          clarification: { question: 'Novels or films?', options: ['novels', 'films'] },
        },
      },
      success('Two reviews mention them.', {}, { sources: [{ title: 'Dune', url: '/reviews/dune' }] }),
      { body: { status: 'accepted', session_id: 'job', poll: '/job', eta_seconds: 1 } },
    )
    site.on('/job', success('Yes, read it.'))
    const printed = /```\n(book_search - [^]*?)```/.exec(section)?.[1]
    const program = blocks[0] ?? ''
    expect(await runExample(program, site)).toBe(printed)
    expect(program.split('\n').filter((line) => line.trim() !== '').length).toBeLessThanOrEqual(20)
  })

  it('asks a site in the example of the README', async () => {
    await using site = await ScriptedSite.start(bookShop())
    site.onAsk(success('Two reviews mention them.'))
    const [, code = ''] = /```js\n(import \{ visit \}[^]*?)```/.exec(readme) ?? []
    const program = code
      .replaceAll('http://localhost:3000', site.origin)
      .replaceAll('localhost:3000', site.host)
    expect(await run(`${program}\nawait fetch.close()`)).toBe('Two reviews mention them. []\n')
  })

  it('hands a site to a model in its second example', async () => {
    await using site = await ScriptedSite.start(bookShop())
    site.onAsk(success('Two reviews.'))
    const prelude = `
      import { MockLanguageModelV3 } from 'ai/test'
      const usage = { inputTokens: { total: 1 }, outputTokens: { total: 1 } }
      const call = { type: 'tool-call', toolCallId: '1', toolName: 'books_book_search', input: '{"query":"worms"}' }
      const answers = [
        { content: [call], finishReason: { unified: 'tool-calls' }, usage, warnings: [] },
        { content: [{ type: 'text', text: 'Two.' }], finishReason: { unified: 'stop' }, usage, warnings: [] },
      ]
      const model = new MockLanguageModelV3({ doGenerate: async () => answers.shift() })`
    expect(await runExample(`${blocks[1] ?? ''}\nconsole.log(text)`, site, prelude)).toBe('Two.\n')
    expect(site.asked[0]?.json).toMatchObject({ capability: 'book_search', query: 'worms' })
  })

  it('collects later what was accepted in its third example', async () => {
    await using site = await ScriptedSite.start(bookShop())
    site.onAsk({ body: { status: 'accepted', session_id: 'job', poll: '/job' } }).on('/job', success('Yes.'))
    expect(await runExample(blocks[2] ?? '', site, "const credential = 'token'")).toBe('Yes.\n')
  })

  it('gives the defaults that are in force', () => {
    const options = resolveVisitOptions({})
    const inForce: Readonly<Record<string, unknown>> = {
      ...options,
      ...Object.fromEntries(Object.entries(options.retry).map(([name, value]) => [`retry.${name}`, value])),
    }
    const rows = [...section.matchAll(/^\| `([\w.]+)` +\| ([\d ]+?) *\|/gm)]
    expect(rows.length).toBeGreaterThan(5)
    for (const [, name = '', value = ''] of rows)
      expect([name, Number(value.replaceAll(' ', ''))]).toEqual([name, inForce[name]])
    for (const name of Object.keys(options)) expect(section).toContain(`\`${name}`)
  })

  it('names every error code of a visit', () => {
    const source = readFileSync(new URL('../../src/converse-error.ts', import.meta.url), 'utf8')
    const union = /VisitErrorCode =([^]*?)\n\n/.exec(source)?.[1] ?? ''
    const codes = [...union.matchAll(/'(\w+)'/g)].map(([, code = '']) => code)
    expect(codes.length).toBeGreaterThan(15)
    for (const code of codes) expect(readme).toContain(`\`${code}\``)
  })
})
