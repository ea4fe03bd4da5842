import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { checksumOf } from '@doorplate/aadp-schemas/canonical-json'
import { startServer } from '@internal/loopback'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { runValidateCli } from '../src/validate-cli.js'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'aadp-validate-'))
})
afterEach(() => {
  rmSync(folder, { recursive: true })
})

const ENTITY = {
  aadp_version: '1.0',
  id: 'book:dune',
  type: 'book',
  checksum: checksumOf({ title: 'Dune' }),
  updated_at: '2026-02-20T17:30:00Z',
  data: { title: 'Dune' },
}

function write(name: string, content: unknown): string {
  const path = join(folder, name)
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content, null, 2))
  return path
}

interface Printed {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

async function execute(argv: readonly string[], stdin = ''): Promise<Printed> {
  const texts = { stdout: '', stderr: '' }
  const terminal = {
    stdout: { write: (text: string) => (texts.stdout += text) },
    stderr: { write: (text: string) => (texts.stderr += text) },
    env: {},
    signal: new AbortController().signal,
  }
  const code = await runValidateCli(argv, terminal, () => Promise.resolve(Buffer.from(stdin)))
  return { code, ...texts }
}

describe('aadp-validate', () => {
  it('accepts a valid file', async () => {
    const file = write('entity.json', ENTITY)
    expect(await execute(['entity', file])).toEqual({
      code: 0,
      stdout: `${file}: valid (entity 1.0)\n`,
      stderr: '',
    })
  })

  it.each([['2'], ['v1.0'], ['latest']])('never answers --version %s with success', async (version) => {
    const { code, stdout, stderr } = await execute(['entity', write('e.json', ENTITY), '--version', version])
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toContain('--aadp-version')
  })

  it.each([[], ['--json']])('shows no password of a URL %j', async (...options) => {
    const { code, stdout, stderr } = await execute([
      'entity',
      'https://reader:s3cret@books.test/e.json',
      ...options,
    ])
    expect(code).toBe(2)
    expect(stdout + stderr).toContain('https://books.test/e.json')
    expect(stdout + stderr).not.toContain('s3cret')
  })

  it('says line and column, rule and place of each issue', async () => {
    const file = write('entity.json', { ...ENTITY, id: 'Dune', surprise: 1 })
    const { code, stdout, stderr } = await execute(['entity', file])
    expect(code).toBe(1)
    expect(stdout).toBe(`${file}: invalid (entity 1.0)\n`)
    expect(stderr).toContain(`${file}:3:3: error AADP1-ENT-003 /id: `)
    expect(stderr).toContain(`${file}:10:3: error AADP1-ENT-001 /surprise: `)
  })

  it('recomputes the checksum', async () => {
    const { code, stderr } = await execute([
      'entity',
      write('e.json', { ...ENTITY, data: { title: 'Emma' } }),
    ])
    expect(code).toBe(1)
    expect(stderr).toContain('AADP1-ENT-010 /checksum: The content gives sha256:')
  })

  it('looks at the meaning of a manifest; warnings do not make it invalid', async () => {
    const manifest = {
      aadp_version: '1.0',
      application: { name: 'A', description: 'B', publisher: { name: 'C', url: 'https://example.com/' } },
      discovery: { sitemap_index: 'https://books.test/index.json' },
      policies: { robots: 'https://books.test/robots.txt', terms: 'https://books.test/terms' },
    }
    const warned = await execute(['manifest', write('m.json', manifest)])
    expect(warned.code).toBe(0)
    expect(warned.stderr).toContain(': warning AADP1-SEM-010 /application/publisher/url: ')
    const secret = { ...manifest, x_key: 'AKIAIOSFODNN7EXAMPLE' }
    expect((await execute(['manifest', write('s.json', secret)])).code).toBe(1)
  })

  it('sees what JSON.parse hides: members that are there twice, a byte order mark', async () => {
    const twice = JSON.stringify(ENTITY).replace('{', '{"x_a":1,"x_a":2,')
    expect((await execute(['entity', write('twice.json', twice)])).stderr).toContain(
      ':1:10: warning AADP1-DOC-009 /x_a',
    )
    const marked = await execute(['entity', write('bom.json', `\ufeff${JSON.stringify(ENTITY)}`)])
    expect([marked.code, marked.stderr]).toEqual([1, expect.stringContaining('AADP1-DOC-001')])
  })

  it('takes several files, patterns and the standard input', async () => {
    mkdirSync(join(folder, 'deep'))
    const files = [write('a.json', ENTITY), write('deep/b.json', ENTITY)]
    const { code, stdout } = await execute(['entity', `${folder}/**/*.json`, '-'], JSON.stringify(ENTITY))
    expect(code).toBe(0)
    expect(stdout.split('\n').filter(Boolean)).toHaveLength(3)
    for (const name of [...files.map((file) => file.slice(folder.length)), '-'])
      expect(stdout).toContain(`${name}: valid`)
  })

  it('reads URLs, private ones only with leave', async () => {
    const server = await startServer((_, outgoing) => outgoing.end(JSON.stringify(ENTITY)))
    const url = `${server.origin}/entity.json`
    const blocked = await execute(['entity', url])
    expect([blocked.code, server.connectionCount]).toEqual([2, 0])
    expect(blocked.stderr).toContain('(blocked) --allow-private-network lets')
    expect((await execute(['entity', url, '--allow-private-network'])).code).toBe(0)
    await server.close()
  })

  it('prints JSON and nothing else', async () => {
    const { stdout, stderr } = await execute(['entity', '-', '--json'], '{"aadp_version":"1.0"}')
    const [result] = JSON.parse(stdout) as Record<string, unknown>[]
    expect(result).toMatchObject({ source: '-', kind: 'entity', aadp_version: '1.0', valid: false })
    expect(stderr).toBe('')
  })

  it('judges by the version that is named, in the old spelling too', async () => {
    const file = write('error.json', { error: { code: 'not_found', message: 'No.', request_id: 'r' } })
    const undeclared = await execute(['error', file])
    expect([undeclared.code, undeclared.stderr]).toEqual([2, expect.stringContaining('--aadp-version')])
    for (const argv of [['--aadp-version', '1.0'], ['--version', '1.0'], ['--version=0.1']]) {
      expect((await execute(['error', file, ...argv])).code).toBe(0)
    }
    expect((await execute(['--version'])).stdout).toMatch(/^\d+\.\d+\.\d+\n$/)
  })

  it.each([
    ['an unknown kind', 2, ['page', '-'], ''],
    ['no kind', 2, [], ''],
    ['no source', 2, ['entity'], ''],
    ['an unknown option', 2, ['entity', '-', '--strict'], ''],
    ['a missing file', 2, ['entity', '/no/such/file.json'], ''],
    ['a folder', 2, ['entity', '/'], ''],
    ['a pattern without a match', 2, ['entity', '/no/such/*.json'], ''],
    ['a malformed URL', 2, ['entity', 'http://'], ''],
    ['text that is no JSON', 2, ['entity', '-'], '{\n  "id": }'],
    ['nothing', 2, ['entity', '-'], ''],
    ['another version', 3, ['entity', '-'], '{"aadp_version":"2.0"}'],
    ['a name that every object has as version', 3, ['entity', '-'], '{"aadp_version":"constructor"}'],
    ['a value that is no object', 1, ['entity', '-', '--aadp-version', '1.0'], '[]'],
  ])('%s: exit %d, a message and no stack', async (_, expected, argv, stdin) => {
    const { code, stderr } = await execute(argv, stdin)
    expect(code).toBe(expected)
    expect(stderr).not.toBe('')
    expect(stderr).not.toMatch(/^\s+at /m)
  })

  it('tells where text stops being JSON', async () => {
    expect((await execute(['entity', '-'], '{\n  "id": }')).stderr).toMatch(/^-: 2:9 /)
    expect((await execute(['entity', '-'], '{\n')).stderr).toMatch(/^-: 2:1 /)
  })

  it('tells a pattern without a match from a file that is not there', async () => {
    expect((await execute(['entity', '/no/such/*.json'])).stderr).toBe('/no/such/*.json: No file matches.\n')
    expect((await execute(['entity', '/no/such/a.json'])).stderr).toContain('cannot be read (ENOENT)')
  })

  it('a source that could not be judged weighs more than one that is invalid', async () => {
    const invalid = write('invalid.json', { ...ENTITY, id: 'x' })
    const other = write('other.json', { ...ENTITY, aadp_version: '9.9' })
    expect((await execute(['entity', invalid, other])).code).toBe(3)
    expect((await execute(['entity', invalid, other, '/no/such/file'])).code).toBe(2)
  })

  it('is installed as a command', async () => {
    const command = fileURLToPath(new URL('../dist/bin/aadp-validate.js', import.meta.url))
    const { stdout } = await promisify(execFile)(process.execPath, [
      command,
      'entity',
      write('e.json', ENTITY),
    ])
    expect(stdout).toContain('valid (entity 1.0)')
  })
})
