import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { checksumOf } from '@doorplate/aadp-schemas/canonical-json'
import { afterAll, describe, expect, it } from 'vitest'
import { progressLine } from '../src/cli/progress-line.js'
import { plainText } from '../src/cli/plain-text.js'
import { runCommand, type ExitCode } from '../src/cli/run-command.js'
import { Site } from './site.js'

const folder = mkdtempSync(join(tmpdir(), 'doorplate-cli-'))
afterAll(() => {
  rmSync(folder, { recursive: true })
})

interface Outcome {
  readonly code: ExitCode
  readonly out: string
  readonly err: string
}

async function run(
  args: readonly string[],
  signal = new AbortController().signal,
  isInteractive = false,
): Promise<Outcome> {
  let out = ''
  let err = ''
  const code = await runCommand(
    args,
    {
      out(text) {
        out += text
        return Promise.resolve()
      },
      err(text) {
        err += text
      },
      isInteractive,
    },
    signal,
  )
  return { code, out, err }
}

/** Arguments that let a site on loopback be read. */
function at(site: Site): string[] {
  return [site.origin, '--dangerously-allow', site.host]
}

describe('aadp-read', () => {
  it.each([
    ['--max-requests', '1'],
    ['--max-bytes', '10'],
  ])('the tree keeps to %s, and takes the options of a walk', async (option, value) => {
    await using site = await new Site({ counts: { post: 3 } }).start()
    expect(await run([...at(site), option, value])).toMatchObject({ code: 3, out: '' })
    const walkOptions = ['--concurrency', '2', '--types', 'post', '--max-pages', '9', '--unordered']
    expect(await run([...at(site), ...walkOptions])).toMatchObject({ code: 0, err: '' })
  })

  it('prints JSON of the same value in which nothing steers a terminal', async () => {
    await using site = await new Site({ counts: {} }).start()
    const text = 'a\u009b31m\u202e\u2028\u007f\n\u00e9'
    site.set('post', 'e', { text })
    for (const args of [['--entities'], ['--json']]) {
      const { out } = await run([...at(site), ...args])
      // eslint-disable-next-line no-control-regex -- control characters are what must not be there
      expect(out.replaceAll('\n', '')).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u2028\u202e]/)
      if (args[0] === '--entities') expect(JSON.parse(out)).toMatchObject({ data: { text } })
    }
  })

  it('prints the application and its resources', async () => {
    await using site = await new Site({ counts: { post: 3, page: 1 } }).start()
    const { code, out } = await run(at(site))
    expect(code).toBe(0)
    expect(out).toBe(
      [
        'Shop',
        '├─ about      A shop.',
        '├─ publisher  Someone <https://shop.test/>',
        '├─ terms      https://shop.test/terms',
        '└─ license    CC-BY-4.0 <https://shop.test/license>',
        'Resources',
        `├─ post  3 entities <${site.origin}/sitemap/post>`,
        `└─ page  1 entity <${site.origin}/sitemap/page>`,
        '',
      ].join('\n'),
    )
    expect(JSON.parse((await run([...at(site), '--json'])).out)).toMatchObject({
      manifest: { application: { name: 'Shop' } },
      index: { sitemaps: [{ type: 'post' }, { type: 'page' }] },
    })
  })

  it('prints the resources of some types alone', async () => {
    await using site = await new Site({ counts: { post: 3, page: 1 } }).start()
    const { out } = await run([...at(site), '--types', 'page'])
    expect(out).toContain('Resources\n└─ page  1 entity <')
    expect(JSON.parse((await run([...at(site), '--types', 'page', '--json'])).out)).toMatchObject({
      index: { sitemaps: [{ type: 'page' }] },
    })
    const { code, out: none, err } = await run([...at(site), '--types', 'none'])
    expect([code, none.includes('no sitemap to show')]).toEqual([0, true])
    expect(err).toBe('warning unknown_type: The index lists no type "none"; it lists post, page\n')
    const entities = await run([...at(site), '--entities', '--types', 'none'])
    expect([entities.code, entities.out]).toEqual([0, ''])
    expect(entities.err).toContain('warning unknown_type: The index lists no type "none"')
  })

  it('prints nothing that could steer a terminal', async () => {
    await using site = await new Site().start()
    site.edit = (document, path) =>
      path.includes('well-known')
        ? {
            ...document,
            application: { ...(document['application'] as object), name: 'A\u001b[2J\u202eB\nC\u009b1m' },
          }
        : document
    const { out } = await run(at(site))
    expect(out.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\u202e]/u)
    expect(out.split('\n')[0]).toBe('A [2J B C 1m')
    expect(plainText('x'.repeat(500))).toHaveLength(200)
  })

  it('streams entities as lines of JSON, and sums up on the other stream', async () => {
    await using site = await new Site({ counts: { post: 3, page: 2 } }).start()
    const { code, out, err } = await run([
      ...at(site),
      '--entities',
      '--types',
      'page',
      '--header',
      'X-Key: abc',
    ])
    expect(code).toBe(0)
    const ids = out
      .trimEnd()
      .split('\n')
      .map((line) => (JSON.parse(line) as { id: string }).id)
    expect(ids).toEqual(['page:e0', 'page:e1'])
    expect(err).toContain('result     complete')
    expect(site.requests[0]?.headers['x-key']).toBe('abc')
  })

  it('leaves out what is unusable and says so, or stops', async () => {
    await using site = await new Site({ counts: { post: 3 } }).start()
    site.answer('/entity/post/e1', 500, '')
    const skipping = await run([...at(site), '--entities'])
    expect(skipping.code).toBe(1)
    expect(skipping.out.trimEnd().split('\n')).toHaveLength(2)
    expect(skipping.err).toContain('incomplete: errors')
    expect(skipping.err).toContain('error http_status')
    const stopping = await run([...at(site), '--entities', '--fail-fast', '--concurrency', '1'])
    expect(stopping).toMatchObject({ code: 3, err: expect.stringContaining('http_status') as string })
    expect((await run([...at(site), '--entities', '--max-entities', '1'])).err).toContain(
      'incomplete: budget (maxEntities)',
    )
  })

  it.each([
    ['--max-pages', '1', 'incomplete: budget (maxPages)', 10],
    ['--max-entities', '4', 'incomplete: budget (maxEntities)', 4],
    ['--max-requests', '3', 'incomplete: budget (maxRequests)', 0],
    ['--max-bytes', '4000', 'incomplete: budget (maxTotalBytes)', 0],
    ['--max-seconds', '1', 'incomplete: budget (deadlineMs)', 0],
    ['--respect-robots', undefined, 'disallowed_by_robots', 19],
    ['--retries', '1', 'complete', 20],
  ])('%s %s: %s', async (option, value, result, lines) => {
    await using site = await new Site({ counts: { post: 20 }, pageSize: 10 }).start()
    site.answer('/robots.txt', 200, 'User-agent: *\nDisallow: /entity/post/e3')
    site.fault('/entity/post/e3', (_request, response) => {
      if (option === '--max-seconds') return
      site.faults.delete('/entity/post/e3')
      response.writeHead(option === '--retries' ? 503 : 500).end()
    })
    if (!['--max-seconds', '--retries'].includes(option)) site.faults.delete('/entity/post/e3')
    const { out, err } = await run([...at(site), '--entities', option, ...(value ? [value] : [])])
    expect(err).toContain(result)
    if (lines > 0) expect(out.split('\n')).toHaveLength(lines + 1)
  })

  it('keeps to --concurrency, and gives entities as they come when --unordered', async () => {
    await using site = await new Site({ counts: { post: 20 } }).start()
    let answerFirst = (): void => undefined
    site.fault('/entity/post/e0', (_request, response) => {
      const first = JSON.stringify(site.entity('post', 'e0'))
      answerFirst = () => response.setHeader('content-type', 'application/json').end(first)
    })
    site.delayMs = (path) => {
      if (path === '/entity/post/e9') answerFirst()
      return 5
    }
    const { out } = await run([...at(site), '--entities', '--concurrency', '3', '--unordered'])
    expect(site.peak).toBe(3)
    expect(out.split('\n')[0]).not.toContain('"post:e0"')
  })

  it('waits for --delay-ms between requests', async () => {
    await using site = await new Site().start()
    const times: number[] = []
    site.delayMs = () => {
      times.push(performance.now())
      return 0
    }
    await run([...at(site), '--delay-ms', '100'])
    expect(times[1]! - times[0]!).toBeGreaterThanOrEqual(80)
  })

  it('draws its progress on a terminal, and takes it away', async () => {
    await using site = await new Site({ counts: { post: 2 } }).start()
    site.delayMs = (path) => (path === '/entity/post/e1' ? 500 : 0)
    const signal = new AbortController().signal
    const { out, err } = await run(['sync', ...at(site), '--store', join(folder, 'drawn.db')], signal, true)
    expect(err).toMatch(/\[#{0,12}\.{12,24}\] [01]\/2 {2}[\d.]+ Ki?B {2}\d+\/s/)
    expect(err.endsWith('\r\u001b[K')).toBe(true)
    expect(out).toContain('created    2')
  })

  it('keeps a mirror', async () => {
    await using site = await new Site({ counts: { post: 3 } }).start()
    const store = join(folder, 'mirror.db')
    const first = await run(['sync', ...at(site), '--store', store])
    expect(first.code).toBe(0)
    expect(first.out).toContain('created    3')
    const second = await run(['sync', ...at(site), '--store', store, '--json'])
    expect(
      second.out
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as unknown),
    ).toMatchObject([
      { kind: 'unchanged', count: 3 },
      { kind: 'summary', complete: true, unchanged: 3 },
    ])
  })

  it.each([
    [[]],
    [['ftp://a.test']],
    [['a.test', 'b.test']],
    [['a.test', '--nonsense']],
    [['a.test', '--concurrency', '0']],
    [['a.test', '--concurrency', 'many']],
    [['a.test', '--max-pages', '-1']],
    [['a.test', '--header', 'SECRET']],
    [['a.test', '--header', 'x: SECRET\nb']],
    [['a.test', '--dangerously-allow', 'not a host']],
    [['sync', 'a.test']],
    [['sync', 'a.test', '--store', '/no/such/folder/mirror.db']],
    [['a.test', '--store', 'x']],
  ])('refuses %j', async (args) => {
    const { code, out, err } = await run(args)
    expect(code).toBe(2)
    expect(out).toBe('')
    expect(err).toContain('--help')
    expect(err).not.toContain('SECRET')
  })

  it('names the option that there is not', async () => {
    const { err } = await run(['a.test', '--nonsense'])
    expect(err).toBe("Unknown option '--nonsense'.\n\nTry aadp-read --help.\n")
  })

  it('names the option that was meant', async () => {
    const { err } = await run(['a.test', '--max-page', '5'])
    expect(err).toBe("Unknown option '--max-page'. Did you mean --max-pages?\n\nTry aadp-read --help.\n")
  })

  it('tells its version', async () => {
    expect(await run(['--version'])).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^\d+\.\d+\.\d+\n$/) as string,
    })
  })

  it('says that a site cannot be read', async () => {
    await using site = await new Site().start()
    expect(await run([site.origin])).toMatchObject({
      code: 3,
      err: expect.stringMatching(/blocked_url[^]*--allow-private-network[^]*--dangerously-allow/) as string,
    })
    site.answer('/.well-known/ai-manifest.json', 200, '{}')
    expect(await run(at(site))).toMatchObject({ code: 3, err: expect.stringContaining('not_aadp') as string })
  })

  it.each(['sync', 'read'])('%s takes a private host that is given, and no other one', async (name) => {
    await using site = await new Site().start()
    await using other = await new Site().start()
    const own = name === 'sync' ? ['sync', site.origin, '--store', ':memory:'] : [site.origin, '--entities']
    const options = [...own, '--allow-private-network']
    expect(await run(options)).toMatchObject({ code: 0 })
    const sitemaps = [{ type: 'post', url: `${other.origin}/sitemap/post` }]
    site.edit = (document, path) =>
      path === '/index.json' ? { ...document, sitemaps, checksum: checksumOf(sitemaps) } : document
    expect(await run(options)).toMatchObject({ code: 1 })
    expect(other.requests).toEqual([])
  })

  it('says that a user name and password are no part of an origin', async () => {
    const { code, err } = await run(['https://user:s3cr3t@books.example'])
    expect([code, err]).toEqual([
      2,
      'The origin must be an http or https URL such as https://books.example, without user name and password\n\n' +
        'Try aadp-read --help.\n',
    ])
  })

  it('says why the network failed', async () => {
    const { code, err } = await run(['books.invalid'])
    expect(code).toBe(3)
    expect(err).toMatch(/^The request failed: .+ \(network_error\)\nThe host name cannot be resolved\.\n$/)
  })

  it('takes a host alone as https, and as http on this machine', async () => {
    await using site = await new Site().start()
    expect(await run([site.host, '--dangerously-allow', site.host])).toMatchObject({ code: 0, err: '' })
    expect((await run(['localhost:1'])).err).toContain('http://localhost:1/')
    expect((await run(['192.0.2.1'])).err).toContain('https://192.0.2.1/')
    expect((await run(['127.0.0.1.books.invalid'])).err).toContain('https://127.0.0.1.books.invalid/')
  })

  it('ends when interrupted', async () => {
    await using site = await new Site().start()
    const controller = new AbortController()
    site.fault('/entity/post/e1', () => {
      controller.abort()
    })
    expect(await run([...at(site), '--entities'], controller.signal)).toMatchObject({ code: 130 })
  })

  it.each(['--help', '-h'])('explains itself (%s)', async (option) => {
    expect(await run([option])).toMatchObject({
      code: 0,
      out: expect.stringContaining('Exit codes') as string,
    })
  })

  it('runs as a program, and its output may be cut off', async () => {
    await using site = await new Site({ counts: { post: 2_000 } }).start()
    const program = new URL('../dist/cli.js', import.meta.url).pathname
    const shell = `"${process.execPath}" "${program}" "${site.origin}" --dangerously-allow "${site.host}" --entities | head -n 1`
    const out = await new Promise<string>((resolve, reject) => {
      execFile('sh', ['-c', shell], (error, stdout) => {
        if (error) reject(new Error('failed', { cause: error }))
        else resolve(stdout)
      })
    })
    expect(JSON.parse(out)).toMatchObject({ id: 'post:e0' })
    expect(site.requests.length).toBeLessThan(2_000)
  })
})

describe('progressLine', () => {
  it('shows how far it is and the time left', () => {
    const line = progressLine({ done: 500, total: 2_000, bytes: 1_500_000, elapsedMs: 10_000 })
    expect(line).toBe('[######..................] 500/2000  1.4 MiB  50/s  30 s left')
  })

  it('does without a number, or with a wrong one', () => {
    expect(progressLine({ done: 5, total: undefined, bytes: 0, elapsedMs: 0 })).toBe('5 entities  0 B  0/s')
    expect(progressLine({ done: 5, total: 3, bytes: 10, elapsedMs: 1_000 })).toBe('5 entities  10 B  5/s')
  })
})
