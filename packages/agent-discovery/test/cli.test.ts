import { describe, expect, it } from 'vitest'
import { runDiscoveryCli } from '../src/cli/run-discovery-cli.js'
import type { Resource } from '../src/index.js'
import { startSite, type Route } from './start-site.js'

const LLMS: Route = { type: 'text/plain', body: '# Example\n- [a](/a)' }
const PAGE: Route = {
  type: 'text/html',
  body: '<!doctype html><link rel="service-desc" href="/api.json" title="evil\u001b[31m">',
}

async function command(argv: readonly string[]): Promise<{ code: number; out: string; err: string }> {
  let [out, err] = ['', '']
  const stdout = { write: (text: string) => (out += text) }
  const stderr = { write: (text: string) => (err += text) }
  const code = await runDiscoveryCli(argv, { stdout, stderr, env: {}, signal: new AbortController().signal })
  return { code, out, err }
}

async function onSite(
  routes: Readonly<Record<string, Route>>,
  ...argv: string[]
): Promise<{ code: number; out: string; err: string; origin: string }> {
  const site = await startSite(routes)
  const host = new URL(site.origin).host
  const at = argv[0] === 'check' ? ['check', site.origin, ...argv.slice(1)] : [site.origin, ...argv]
  return { ...(await command([...at, '--dangerously-allow', host])), origin: site.origin }
}

describe('agent-discovery', () => {
  it('prints a table with states and reasons', async () => {
    const { code, out } = await onSite({ '/': PAGE, '/llms.txt': LLMS })
    expect(code).toBe(0)
    expect(out).toContain('verified  llms-txt  /llms.txt\n')
    expect(out).toContain('absent    openapi   /api.json  (status-404)\n')
    expect(out).toMatch(/19 requests, \d+ bytes, \d+ ms\.\n$/)
  })

  it('explains everything that was asked, in text that is safe to print', async () => {
    const { out } = await onSite({ '/': PAGE, '/llms.txt': LLMS }, '--explain')
    expect(out).toContain('evidence: GET 200, text/plain, 19 bytes, begins with a heading')
    expect(out).toContain('title, in the words of the site: "evil[31m"')
    expect(out).toContain('/.well-known/agent.json')
    expect(out).not.toContain('\u001b')
  })

  it.each([
    ['--json', /"state": "verified"/],
    ['--markdown', /^## Agent resources\n\n- llms-txt </],
    ['--linkset', /"describedby": \[/],
    ['--fetchkit', /"agent_resources": \[/],
  ])('prints %s', async (flag, expected) => {
    const { out, code } = await onSite({ '/': PAGE, '/llms.txt': LLMS }, flag)
    expect(code).toBe(0)
    expect(out).toMatch(expected)
    if (flag !== '--markdown') expect(() => JSON.parse(out) as unknown).not.toThrow()
  })

  it('asks for nothing but the page with --no-probe and --verify none', async () => {
    const { out, code } = await onSite({ '/': PAGE, '/llms.txt': LLMS }, '--no-probe', '--verify', 'none')
    expect(code).toBe(1)
    expect(out).toContain('advertised  openapi  /api.json')
    expect(out).toContain('1 requests')
  })

  it('has documented exit codes', async () => {
    expect((await onSite({ '/': { type: 'text/html', body: '' } })).code).toBe(1)
    expect((await onSite({ '/': (_request, response) => response.destroy() })).code).toBe(2)
    expect((await onSite({ '/': { type: 'text/html', body: '' } }, '--max-requests', '3')).code).toBe(4)
    expect((await command(['--help'])).out).toMatch(/ 4 {2}stopped before everything was asked/)
    expect((await command(['-h'])).code).toBe(0)
    for (const help of [['--help'], ['check', '--help']])
      expect((await command(help)).out).toContain('http on this machine (localhost:3000)')
    expect((await command(['--version'])).out).toMatch(/^\d+\.\d+\.\d+\n$/)
  })

  it('takes a host alone as https, and as http on this machine', async () => {
    const { origin } = await startSite({ '/': PAGE, '/llms.txt': LLMS })
    const { host, port } = new URL(origin)
    for (const url of [host, `localhost:${port}/`])
      expect((await command([url, '--allow-private-network'])).out).toContain('verified  llms-txt')
    expect((await command(['192.0.2.1'])).err).toContain('https://192.0.2.1/')
  })

  it('says what it does not ask, where, and what to do (private hosts)', async () => {
    const { code, out, err } = await command(['http://127.0.0.1:9', '--json'])
    expect(code).toBe(2)
    expect(JSON.parse(out)).toMatchObject({
      page: {
        state: 'error',
        reasons: ['blocked-by-policy'],
        message: expect.stringContaining('createSafeFetch({ dangerouslyAllow: ["127.0.0.1:9"] })') as unknown,
      },
      resources: [],
    })
    expect(err).toMatch(
      /^agent-discovery: The page http:\/\/127\.0\.0\.1:9\/ was not fetched: .*--allow-private-network.*\n$/,
    )
  })

  it('reaches a private host by --allow-private-network, its own and no other', async () => {
    const other = await startSite({ '/llms.txt': LLMS })
    const site = await startSite({
      '/': {
        type: 'text/html',
        body: `<!doctype html><link rel="describedby" href="${other.origin}/llms.txt">`,
      },
      '/llms.txt': LLMS,
    })
    const allowed = ['--allow-private-network', '--verify', 'any-origin', '--json']
    const { code, out } = await command([site.origin, ...allowed])
    expect(code).toBe(0)
    const { resources } = JSON.parse(out) as { resources: Resource[] }
    expect(resources.find(({ crossOrigin }) => crossOrigin)).toMatchObject({ reasons: ['blocked-by-policy'] })
    expect(other.requests).toEqual([])
    expect((await command(['check', site.origin, '--allow-private-network'])).code).toBe(0)
  })

  it('asks DNS with --dns and only then', async () => {
    const site = await startSite({ '/': PAGE })
    const run = (...options: string[]): Promise<{ out: string }> =>
      command([
        site.origin.replace('127.0.0.1', 'localhost'),
        '--json',
        '--allow-private-network',
        ...options,
      ])
    expect(JSON.parse((await run('--dns', '--deadline', '3000')).out)).toMatchObject({ dns: { dnsAid: [] } })
    expect(JSON.parse((await run()).out)).not.toHaveProperty('dns')
  })

  it.each([
    [[]],
    [['https://a.example', 'https://b.example']],
    [['https://a.example', '--json', '--markdown']],
    [['--nonsense']],
    [['ftp://x']],
    [['https://a.example', '--timeout', '0']],
    [['https://a.example', '--verify', 'all']],
  ])('refuses %j', async (argv) => {
    const { code, err, out } = await command(argv)
    expect([code, out]).toEqual([2, ''])
    expect(err).toMatch(/^agent-discovery: .+\n(?:Try agent-discovery --help\.\n)?$/)
  })

  it.each([
    [['chek', 'localhost:3000'], 'There is no command chek. Did you mean check?'],
    [['--json', 'check', 'localhost:3000'], 'Write check before its options.'],
    [['nonsense', 'localhost:3000'], 'There is no command nonsense. Give one URL.'],
  ])('tells for %j what was meant', async (argv, said) => {
    const { code, err } = await command(argv)
    expect([code, err]).toEqual([2, `agent-discovery: ${said}\nTry agent-discovery --help.\n`])
  })

  it('says how a check reaches a private host', async () => {
    const site = await startSite({ '/': PAGE, '/llms.txt': LLMS })
    const { code, out } = await command(['check', site.origin])
    expect(code).toBe(2)
    expect(out).toContain(
      'broken: blocked-by-policy. The address is not public; --allow-private-network lets',
    )
    expect((await command(['check', site.origin, '--allow-private-network'])).out).not.toContain('blocked')
  })

  it('checks readiness as conformance runners do', async () => {
    const good = await onSite({ '/': { type: 'text/html', body: '' }, '/llms.txt': LLMS }, 'check')
    expect(good.code).toBe(0)
    expect(good.out).toMatch(/read\.llms_txt/)
    const bad = await onSite({ '/': PAGE }, 'check', '--json')
    expect(bad.code).toBe(1)
    expect(JSON.parse(bad.out)).toMatchObject({
      protocol: 'readiness',
      status: 'failed',
      requests: { count: 19 },
    })
    expect((await command(['check', '--list'])).out).toMatch(/site\.honest_404/)
    expect((await command(['check'])).code).toBe(2)
  })
})
