import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseReport } from '@doorplate/conformance-kit'
import { runRunnerCli, type RunnerCli } from '@doorplate/conformance-kit/cli'
import { createCertificate, startServer, startTlsServer, type LoopbackServer } from '@internal/loopback'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { agentCli } from '../src/agent-cli.js'
import { STATIONS } from '../src/agent/stations.js'
import { conformanceCli } from '../src/conformance-cli.js'
import { TOKEN } from './good-concierge.js'
import { createGoodSite, type Fault } from './good-site.js'

let folder = ''
let server: LoopbackServer | undefined
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ahp-'))
})
afterEach(async () => {
  rmSync(folder, { recursive: true, force: true })
  await server?.close()
  server = undefined
})

async function serve(fault: Fault = {}): Promise<string> {
  server = await startServer(createGoodSite({ fault, now: Date.now, limit: 10_000 }))
  return server.origin
}

interface Printed {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

async function run(
  cli: RunnerCli,
  argv: readonly string[],
  signal = new AbortController().signal,
): Promise<Printed> {
  const printed = { stdout: '', stderr: '' }
  const output = (name: 'stdout' | 'stderr'): { write: (text: string) => unknown } => ({
    write: (text) => (printed[name] += text),
  })
  const code = await runRunnerCli(cli, argv, {
    stdout: output('stdout'),
    stderr: output('stderr'),
    env: {},
    signal,
  })
  return { code, ...printed }
}

const check = (...argv: readonly string[]): Promise<Printed> => run(conformanceCli, argv)

describe('ahp-conformance', () => {
  it('passes a good site, and its report does not repeat the token', async () => {
    const origin = await serve({
      manifest: (own) => (own['rate_limits'] = { unauthenticated: { requests: '10000/minute' } }),
    })
    const path = join(folder, 'report.json')
    const { code } = await check(
      ...[
        origin,
        '--allow-private-network',
        '--token',
        TOKEN,
        '--ambiguous',
        'search=dune',
        '--output',
        path,
      ],
      ...['--action', 'place_order={"isbn":"9780441172719"}', '--forbidden', 'orders=forbidden'],
    )
    expect(code).toBe(0)
    const text = readFileSync(path, 'utf8')
    const report = parseReport(text)
    expect(text).not.toContain(TOKEN)
    const byId = new Map(report.checks.map(({ id, status }) => [id, status]))
    expect(
      ['clarification.answered', 'auth.action', 'auth.forbidden', 'async.accepted'].map((id) => byId.get(id)),
    ).toEqual(['passed', 'passed', 'passed', 'skipped'])
  })

  it('takes what is known of a site from a file, and from the command line before it', async () => {
    const origin = await serve()
    const path = join(folder, 'probes.json')
    const known = {
      probes: {
        ambiguous: { capability: 'search', query: 'emma' },
        failing: { capability: 'search', query: 'fail' },
      },
      pages: ['/absent.txt'],
    }
    writeFileSync(path, JSON.stringify(known))
    const only = ['clarification.asked', 'errors.fault', 'discovery.notice'].flatMap((id) => ['--only', id])
    const argv = [origin, '--allow-private-network', '--json', ...only, '--probes', path]
    const statuses = async (...more: readonly string[]): Promise<readonly string[]> =>
      parseReport((await check(...argv, ...more)).stdout)
        .checks.filter(({ id }) => only.includes(id))
        .map(({ id, status }) => `${id} ${status}`)
    expect(await statuses()).toEqual([
      'discovery.notice passed',
      'errors.fault passed',
      'clarification.asked warning',
    ])
    expect(await statuses('--ambiguous', 'search=dune')).toContain('clarification.asked passed')
  })

  it.each([
    ['no JSON', '{'],
    ['a list', '[]'],
    ['an unknown name', '{"probe":{}}'],
    ['a secret', '{"credential":"x"}'],
    ['an unknown probe', '{"probes":{"questions":{"capability":"a"}}}'],
    ['a wrong value', '{"sessionIdleMs":"5"}'],
  ])('refuses %s as what is known', async (_, text) => {
    const path = join(folder, 'probes.json')
    writeFileSync(path, text)
    expect((await check('https://a.test', '--probes', path)).code).toBe(2)
    expect((await check('https://a.test', '--probes', join(folder, 'absent'))).code).toBe(2)
  })

  it('trusts the authority that it is told of, and no other', async () => {
    const served = await startTlsServer(['127.0.0.1'], createGoodSite({ now: Date.now }))
    server = served
    const [own, other] = [join(folder, 'own.pem'), join(folder, 'other.pem')]
    writeFileSync(own, served.ca)
    writeFileSync(other, (await createCertificate(['other.test'])).cert)
    const argv = [served.origin, '--allow-private-network', '--only', 'manifest.http']
    expect((await check(...argv)).stdout).toContain('tls_failed')
    expect((await check(...argv, '--ca', other)).stdout).toContain('tls_failed')
    expect((await check(...argv, '--ca', other, '--ca', own)).code).toBe(0)
    writeFileSync(other, 'no certificate')
    expect((await check(...argv, '--ca', other)).code).toBe(2)
    expect((await check(...argv, '--ca', join(folder, 'absent'))).code).toBe(2)
  })

  it('fails a broken one', async () => {
    const origin = await serve({ manifest: (own) => delete own['content_signals'] })
    const { code, stdout } = await check(origin, '--allow-private-network', '--profile', 'mode1', '--quiet')
    expect(code).toBe(1)
    expect(stdout).toContain('manifest.schema')
  })

  it('judges a part of the protocol, which must be declared', async () => {
    const onlyContent: Fault = {
      manifest: (own) => {
        own['modes'] = ['MODE1']
        own['capabilities'] = []
        delete own['authentication']
        delete own['async']
      },
    }
    const origin = await serve(onlyContent)
    expect((await check(origin, '--allow-private-network', '--profile', 'mode1')).code).toBe(0)
    const { code, stdout } = await check(origin, '--allow-private-network', '--profile', 'mode2', '--quiet')
    expect(code).toBe(1)
    expect(stdout).toContain('MODE2 is not among the modes.')
  })

  it('takes a host on this machine without its scheme', async () => {
    const origin = await serve()
    const argv = [new URL(origin).host, '--allow-private-network', '--only', 'discovery.notice', '--json']
    const { code, stdout } = await check(...argv)
    expect([code, parseReport(stdout).base_url]).toEqual([0, origin])
  })

  it('tells another document and a missing site apart', async () => {
    const origin = await serve({ manifest: (own) => (own['ahp'] = '2.0') })
    expect((await check(origin, '--allow-private-network')).code).toBe(3)
    const unreached = await check(origin)
    expect(unreached.code).toBe(2)
    expect(unreached.stdout).toContain('RESULT: NOT PERFORMED')
    expect(unreached.stdout).not.toContain('Fix: Answer GET')
  })

  it('says why it waits, when it begins to, and how long that took', async () => {
    let asked = 0
    const good = createGoodSite({ now: Date.now, limit: 10_000 })
    server = await startServer((incoming, outgoing) => {
      if (asked++ > 0) good(incoming, outgoing)
      else outgoing.writeHead(429, { 'retry-after': '2' }).end()
    })
    const argv = [server.origin, '--allow-private-network', '--only', 'manifest.http']
    const { stdout, stderr } = await check(...argv)
    expect(stderr).toBe('ahp-conformance: waits 2 s, as the limit of the site asks\n')
    expect(stdout).toContain(", of these 2 s waiting for the site's limit\n")
  })

  it.each([
    [['https://a.test', 'https://b.test']],
    [['ftp://a.test']],
    [['https://a.test', '--profile', 'mode9']],
    [['https://a.test', '--question', '=x']],
    [['https://a.test', '--job', 'a={"b"']],
    [['https://a.test', '--token', 'two words']],
    [['https://a.test', '--token', '']],
    [['https://a.test', '--callback-port', '1']],
    [['https://a.test', '--callback-url', 'https://b.test']],
    [['https://a.test', '--header', 'X-AHP-Key: k']],
    [[]],
  ])('refuses the command line %j', async (argv) => {
    const { code, stdout, stderr } = await check(...argv)
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toMatch(/^ahp-conformance: .*\nTry ahp-conformance --help\.\n$/)
  })

  it('lists and explains', async () => {
    expect((await check('--list')).stdout).toMatch(/^sessions\.owner +MUST /m)
    expect((await check('--list', '--profile', 'mode1')).stdout).not.toContain('sessions.owner')
    expect((await check('--explain', 'sessions.owner')).stdout).toContain(
      'AHP01-SES-001 MUST: A session belongs to',
    )
    expect((await check('--help')).stdout).toContain('--ambiguous <probe>')
  })
})

describe('ahp-conformance agent', () => {
  const silent = agentCli(() => undefined)
  const program = (source: string): string => `${process.execPath} -e '${source}'`

  it('runs a command for each task and judges it', async () => {
    const path = join(folder, 'report.json')
    const source = 'fetch(process.env.AHP_URL + ".well-known/agent.json", { method: "POST", body: "12345" })'
    const { code, stdout } = await run(silent, [
      '--run',
      program(source),
      '--output',
      path,
      '--only',
      'discovery.well_known',
    ])
    expect(code).toBe(0)
    const count = STATIONS.length
    expect(parseReport(readFileSync(path, 'utf8'))).toMatchObject({
      profile: 'agent',
      status: 'passed',
      requests: { count, bytes: 5 * count },
    })
    expect(stdout).toContain(`${count} requests, ${5 * count} bytes, `)
  })

  const toldBy = async (...argv: readonly string[]): Promise<{ code: number; told: string }> => {
    let told = ''
    const { code } = await run(
      agentCli((text) => (told += text)),
      argv,
    )
    return { code, told }
  }

  it('ends a command that does not end, and says so', async () => {
    const argv = ['--run', program('setInterval(() => {}, 1000)'), '--task-timeout', '50', '--quiet']
    const { code, told } = await toldBy(...argv)
    expect(code).toBe(4)
    expect(told).toContain(`${STATIONS[0]?.id ?? ''}: The command did not end within 50 ms.\n`)
  })

  it('says how a command failed, and what it said of that, as far as it may be shown', async () => {
    const { code, told } = await toldBy('--run', "printf 'no\\033[2J such agent\\n\\nat all' >&2; exit 127")
    expect(code).toBe(4)
    const { id = '' } = STATIONS[0] ?? {}
    expect(told.split('\n').slice(0, 3)).toEqual([
      `${id}: The command ended with 127.`,
      `${id}: no\\u001b[2J such agent`,
      `${id}: at all`,
    ])
    expect((await toldBy('--run', 'exit 0')).told).toBe('')
    const { told: long } = await toldBy('--run', 'yes | head -c 100000 >&2')
    expect(long.length).toBeLessThan(STATIONS.length * 30_000)
    expect(long).not.toContain('ended with')
  })

  it('waits for an interrupt where there is no command, and shows the tasks', async () => {
    let shown = ''
    const ended = new AbortController()
    const cli = agentCli((text) => {
      shown += text
      if (text.includes('replies to a question back')) {
        const [url = ''] = /http:\/\/\S+/.exec(shown) ?? []
        void fetch(new URL('/.well-known/agent.json', url)).then(() => {
          ended.abort()
        })
      }
    })
    const { code, stdout } = await run(cli, ['--only', 'discovery.well_known'], ended.signal)
    expect([code, stdout.includes('discovery.well_known')]).toEqual([0, true])
    expect(shown).toContain('ask opening_hours: When is the shop open?')
  })

  it.each([[['https://a.test']], [['--port', '-1']], [['--port', '99999']]])(
    'refuses the command line %j',
    async (argv) => {
      expect((await run(silent, argv)).code).toBe(2)
    },
  )
})
