import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import type { RequestListener } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { startServer, startTlsServer, type LoopbackServer } from '@internal/loopback'
import { parseReport } from '@doorplate/conformance-kit'
import { runRunnerCli } from '@doorplate/conformance-kit/cli'
import { afterEach, describe, expect, it } from 'vitest'
import { conformanceCli } from '../src/conformance-cli.js'
import { createGoodSite, type Fault } from './good-site.js'

const COMMAND = fileURLToPath(new URL('../dist/bin/aadp-conformance.js', import.meta.url))

let server: LoopbackServer | undefined
afterEach(() => server?.close())

async function serve(fault: Fault = {}): Promise<LoopbackServer> {
  let listener: RequestListener = () => undefined
  server = await startServer((incoming, outgoing) => {
    listener(incoming, outgoing)
  })
  listener = createGoodSite(server.origin, '1.0', fault)
  return server
}

interface Printed {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

async function execute(...argv: readonly string[]): Promise<Printed> {
  const texts = { stdout: '', stderr: '' }
  const code = await runRunnerCli(conformanceCli, argv, {
    stdout: { write: (text) => (texts.stdout += text) },
    stderr: { write: (text) => (texts.stderr += text) },
    env: {},
    signal: new AbortController().signal,
  })
  return { code, ...texts }
}

describe('aadp-conformance', () => {
  it('passes a good site', async () => {
    const { origin } = await serve()
    const { code, stdout, stderr } = await execute(origin, '--allow-private-network', '--entities', 'all')
    expect(stdout).toContain('RESULT: PASSED')
    expect(stdout).toContain('PASS  traversal.entity')
    expect([code, stderr]).toEqual([0, ''])
  })

  it('finds a placeholder in no URL of the machine that the site runs on, and in others', async () => {
    let listener: RequestListener = () => undefined
    server = await startServer((incoming, outgoing) => {
      listener(incoming, outgoing)
    })
    const origin = server.origin.replace('127.0.0.1', 'localhost')
    const argv = [origin, '--allow-private-network', '--only', 'manifest.semantic']
    listener = createGoodSite(origin, '1.0')
    expect((await execute(...argv)).stdout).toContain('PASS  manifest.semantic')
    const manifest: Fault['manifest'] = (draft) => (draft.policies!.terms = 'https://example.com/terms')
    listener = createGoodSite(origin, '1.0', { manifest })
    const { stdout } = await execute(...argv)
    expect(stdout.match(/placeholder_url/g)).toHaveLength(1)
    expect(stdout).toContain('placeholder host example.com')
  })

  it('says of a host that is not reached what the network has to do with it', async () => {
    const { stdout, code } = await execute('http://127.0.0.1:9')
    expect(code).toBe(2)
    expect(stdout).toContain('(blocked) --allow-private-network lets the host of the base URL be')
    expect(stdout).toContain('Fix: Run the checks where the host is public, or allow it if it is yours.')
    expect(stdout).toContain('RESULT: NOT PERFORMED')
  })

  it('takes a host on this machine without its scheme', async () => {
    const { origin } = await serve()
    const argv = [new URL(origin).host, '--allow-private-network', '--only', 'http.cache.*', '--json']
    const { code, stdout } = await execute(...argv)
    expect([code, parseReport(stdout).base_url]).toEqual([0, origin])
  })

  it('CF-06: exits differently for a failed check, warnings only, a bad option and another version', async () => {
    const broken = await serve({ reply: (reply) => Reflect.deleteProperty(reply.headers, 'etag') })
    expect((await execute(broken.origin, '--allow-private-network')).code).toBe(1)
    await broken.close()
    const warning = await serve({ reply: (reply) => Reflect.deleteProperty(reply.headers, 'vary') })
    expect((await execute(warning.origin, '--allow-private-network')).code).toBe(0)
    expect((await execute(warning.origin, '--allow-private-network', '--fail-on-warning')).code).toBe(1)
    expect((await execute(warning.origin, '--max-pages', '0')).code).toBe(2)
    expect((await execute(warning.origin, '--allow-private-network', '--protocol-version', '0.1')).code).toBe(
      3,
    )
    expect((await execute(warning.origin, '--protocol-version', '7.0')).code).toBe(3)
    expect((await execute(warning.origin, '--allow-private-network', '--max-requests', '9')).code).toBe(4)
  })

  it('runs the checks that are asked for', async () => {
    const { origin } = await serve()
    const { stdout, code } = await execute(
      origin,
      '--allow-private-network',
      '--only',
      'http.cache.*',
      '--json',
    )
    const report = parseReport(stdout)
    const ids = report.checks.map(({ id }) => id)
    expect(ids).toContain('http.cache.entity')
    expect(ids).toContain('manifest.http')
    expect(ids).not.toContain('links.no_dead_urls')
    expect(report).toMatchObject({ status: 'passed', complete: false })
    expect(code).toBe(0)
  })

  it('trusts the authority that it is told of', async () => {
    let listener: RequestListener = () => undefined
    const served = await startTlsServer(['127.0.0.1'], (incoming, outgoing) => {
      listener(incoming, outgoing)
    })
    server = served
    listener = createGoodSite(served.origin, '1.0')
    const folder = mkdtempSync(join(tmpdir(), 'aadp-'))
    try {
      const path = join(folder, 'ca.pem')
      writeFileSync(path, served.ca)
      const argv = [served.origin, '--allow-private-network', '--only', 'http.https']
      expect((await execute(...argv)).stdout).toContain('tls_failed')
      const { code, stdout } = await execute(...argv, '--ca', path)
      expect(stdout).toContain('PASS  http.https')
      expect(code).toBe(0)
      writeFileSync(path, 'no certificate')
      expect((await execute(...argv, '--ca', path)).code).toBe(2)
    } finally {
      rmSync(folder, { recursive: true })
    }
  })

  it.each([
    [['ftp://site.test']],
    [['site.test:port']],
    [['https://user:hunter2@site.test']],
    [['https://a.test', 'https://b.test']],
    [['https://a.test', '--entities', '0']],
    [['https://a.test', '--entities', 'some']],
    [['https://a.test', '--profile', 'constructor']],
    [['https://a.test', '--header', 'no colon']],
    [['https://a.test', '--header', 'X-Key: \u0001']],
    [['https://a.test', '--unknown-entity-url', '/relative']],
    [['https://a.test', '--only', 'absent']],
    [['https://a.test', '--dangerously-allow', '0.0.0.0/0']],
    [['https://a.test', '--timeout', '1.5']],
    [['https://a.test', '--seed', '99999999999']],
  ])('%j is not performed: exit 2 and an empty stdout', async (argv) => {
    const { code, stdout, stderr } = await execute(...argv)
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toMatch(/^aadp-conformance: .+\nTry aadp-conformance --(help|list)\.\n$/)
    expect(stderr).not.toContain('hunter2')
  })

  it('explains every check', async () => {
    const { stdout } = await execute('--list')
    for (const line of stdout.trim().split('\n')) {
      const explained = await execute('--explain', line.split(' ', 1)[0] ?? '')
      expect(explained.stdout).toMatch(
        /Requirements:\n {2}AADP1-[A-Z]+-\d{3} (MUST|SHOULD): .+[\s\S]*\nFix: .+\n$/,
      )
    }
  })

  it.skipIf(process.platform === 'win32').each(['SIGINT', 'SIGTERM'] as const)(
    'ends at %s with its report',
    async (signal) => {
      let site: RequestListener = () => undefined
      server = await startServer((incoming, outgoing) => {
        if (incoming.url?.startsWith('/ai/') !== true) site(incoming, outgoing)
        else child.kill(signal)
      })
      site = createGoodSite(server.origin, '1.0')
      const child = spawn(process.execPath, [COMMAND, server.origin, '--allow-private-network', '--json'])
      let stdout = ''
      child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()))
      const [code] = (await once(child, 'close')) as [number]
      expect(parseReport(stdout)).toMatchObject({ status: 'inconclusive', complete: false })
      expect(code).toBe(4)
    },
  )

  it('is installed as a command', async () => {
    const { origin } = await serve()
    const { stdout } = await promisify(execFile)(process.execPath, [
      COMMAND,
      origin,
      '--allow-private-network',
    ])
    expect(stdout).toContain('RESULT: PASSED')
  })
})
