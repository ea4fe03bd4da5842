import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, sep } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { SETTINGS } from './declared-settings.js'
import { helpText } from './help-text.js'
import { defaultSettings, readSettings, type CommandLine } from './read-settings.js'
import { flagOf, variableOf } from './setting.js'
import { WrongSetting } from './wrong-setting.js'

const projectRoot = join(sep, 'project')
let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'settings-'))
})

afterEach(() => {
  rmSync(folder, { recursive: true })
})

interface Given {
  readonly args?: readonly string[]
  readonly environment?: Readonly<Record<string, string>>
  /** What the file holds. */
  readonly file?: unknown
}

function read({ args = [], environment = {}, file }: Given): CommandLine {
  const config = file === undefined ? [] : ['--config', written(file)]
  return readSettings({ args: [...config, ...args], environment, projectRoot })
}

function written(content: unknown): string {
  const path = join(folder, 'settings.json')
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content))
  return path
}

function complaintAbout(given: Given): string {
  try {
    read(given)
  } catch (error) {
    if (error instanceof WrongSetting) return error.message
    throw error
  }
  throw new Error('accepted')
}

const WRONG_LIMITS = Object.entries(SETTINGS)
  .filter(([, { unit, defaultText }]) => unit !== undefined || defaultText.includes('/minute'))
  .map(([name]) => name)

describe('settings', () => {
  it('have defaults, also for empty variables', () => {
    const empty = Object.fromEntries(Object.keys(SETTINGS).map((name) => [variableOf(name), '']))
    expect(read({ environment: empty })).toEqual({ request: 'serve', settings: defaultSettings(projectRoot) })
    expect(defaultSettings(projectRoot)).toMatchObject({
      host: '127.0.0.1',
      port: 4870,
      publicUrl: undefined,
      dataDir: join(projectRoot, 'data'),
      askLimit: '30/minute',
      routes: 'standard',
    })
  })

  it('count by where they are given: command line, environment, file', () => {
    const file = { port: 1, pageSize: 2, records: 3 }
    const environment = { PORT: '4', PAGE_SIZE: '5' }
    expect(read({ file, environment, args: ['--port', '6'] }).settings).toMatchObject({
      port: 6,
      pageSize: 5,
      records: 3,
    })
  })

  it('take what is given', () => {
    const environment = {
      HOST: '[::1]',
      PUBLIC_URL: 'https://Docs.my-site.org:443/',
      DATA_DIR: 'kept/here',
      REDIS_URL: 'rediss://me:secret@redis.my-site.org:6380/2',
      READ_LIMIT: '5/second',
      TRUSTED_PROXIES: '127.0.0.1, 10.0.0.0/8,::1',
      CARRIER_URL: 'https://parcels.my-site.org/{number}',
    }
    expect(read({ environment }).settings).toMatchObject({
      host: '::1',
      publicUrl: 'https://docs.my-site.org',
      dataDir: join(projectRoot, 'kept', 'here'),
      redisUrl: 'rediss://me:secret@redis.my-site.org:6380/2',
      readLimit: '5/second',
      trustedProxies: ['127.0.0.1', '10.0.0.0/8', '::1'],
    })
    expect(read({ file: { trustedProxies: ['::1'], callbackPorts: [8443] } }).settings).toMatchObject({
      trustedProxies: ['::1'],
      callbackPorts: ['8443'],
    })
  })

  it.each(WRONG_LIMITS)('%s is checked wherever it is given', (name) => {
    for (const wrong of ['-1', '1.5', 'NaN', '1e3', '0x10', ' 5', '9'.repeat(17), 'lots'])
      expect(complaintAbout({ environment: { [variableOf(name)]: wrong } })).toMatch(
        new RegExp(`^${variableOf(name)} must be a .*\\.$`),
      )
    expect(complaintAbout({ args: [`${flagOf(name)}=x`] })).toMatch(new RegExp(`^${flagOf(name)} must be `))
    for (const wrong of [-1, 1.5, null, true, [], {}])
      expect(complaintAbout({ file: { [name]: wrong } })).toMatch(new RegExp(`^"${name}" in .* must be `))
  })

  it.each([
    ['HOST', ['a b', 'http://x', 'x/y', 'x\ny']],
    ['PORT', ['65536', 'http']],
    [
      'PUBLIC_URL',
      ['docs.my-site.org', '/docs', 'ftp://my-site.org', 'javascript:alert(1)', 'https://my-site.org/docs'],
    ],
    ['PUBLIC_URL', ['https://my-site.org/?a', 'https://my-site.org/#a', 'https://u@my-site.org']],
    ['REDIS_URL', ['redis', 'http://127.0.0.1:6379', '127.0.0.1:6379']],
    ['ASK_LIMIT', ['30', '0/minute', '30/fortnight', '30/minute ']],
    ['TRUSTED_PROXIES', ['everybody', '10.0.0.0/33', '::1/129', '10.0.0.0/8,', '10.0.0.0/8/8']],
    ['CALLBACK_PORTS', ['0', '65536', '443;8443']],
    ['CALLBACK_SECRET', ['hunter2', 'whsec_short']],
    ['METRICS_TOKEN', ['short', 'with spaces in between them']],
    ['CARRIER_URL', ['https://parcels.my-site.org/', 'file:///{number}', '{number}']],
    ['CARRIER_URL', ['https://{number}.my-site.org/', 'https://me:hunter2@my-site.org/{number}']],
    ['ROUTES', ['own', 'Custom']],
    ['LOG_LEVEL', ['loud']],
  ])('%s is refused in one line', (name, values) => {
    for (const value of values) {
      const complaint = complaintAbout({ environment: { [name]: value } })
      expect(complaint).toMatch(new RegExp(`^${name} must be [^\\n]*\\.$`))
    }
  })

  it('that may hold a secret are never repeated, nor taken where others can read them', () => {
    for (const name of ['REDIS_URL', 'CALLBACK_SECRET', 'METRICS_TOKEN', 'PUBLIC_URL', 'CARRIER_URL'])
      expect(complaintAbout({ environment: { [name]: 'ftp://me:hunter2 @x' } })).not.toContain('hunter2')
    expect(complaintAbout({ args: ['--metrics-token', 'hunter2-hunter2-hunter2'] })).toBe(
      '--metrics-token is not taken from the command line, which others can read: set METRICS_TOKEN, or "metricsToken" in a file.',
    )
  })

  it('that do not exist are refused, with the name that is meant', () => {
    expect(complaintAbout({ args: ['--prot', '80'] })).toBe(
      'There is no --prot. Did you mean --port? Try --help.',
    )
    expect(complaintAbout({ args: ['--frobnicate'] })).toBe('There is no --frobnicate. Try --help.')
    expect(complaintAbout({ args: ['-x'] })).toBe('There is no -x. Try --help.')
    expect(complaintAbout({ args: ['extra'] })).toMatch(/^There is nothing that "extra" could mean/)
    expect(complaintAbout({ args: ['--port'] })).toBe('--port needs a value. Try --help.')
    expect(complaintAbout({ file: { asklimit: '1/minute' } })).toMatch(
      /"asklimit" .* Did you mean askLimit\?$/,
    )
    expect(complaintAbout({ file: '{"__proto__":1}' })).toMatch(/^There is no setting "__proto__"/)
    expect(complaintAbout({ file: { constructor: 1 } })).toMatch(/^There is no setting "constructor"/)
  })

  it('are not read from a file that is none', () => {
    expect(complaintAbout({ args: ['--config', join(folder, 'none')] })).toMatch(/cannot be used: ENOENT\.$/)
    for (const file of ['{"metricsToken":"hunter2', '[]', 'null', '"x"', '']) {
      const complaint = complaintAbout({ file })
      expect(complaint).toMatch(/settings\.json cannot be used: it must hold one JSON object\.$/)
      expect(complaint).not.toContain('hunter2')
    }
  })

  it('that go together are given together', () => {
    expect(complaintAbout({ environment: { TLS_CERT: 'cert.pem' } })).toMatch(
      /^TLS_CERT and TLS_KEY go together/,
    )
    expect(complaintAbout({ environment: { CALLBACK_CA: 'ca.pem' } })).toMatch(/^CALLBACK_CA is of no use/)
  })
})

describe('the help', () => {
  it('lists every setting with its default and unit', () => {
    const lines = helpText().split('\n')
    for (const [name, { isSecret, defaultText, unit = '' }] of Object.entries(SETTINGS)) {
      const line = lines.find((candidate) =>
        candidate.includes(` ${isSecret ? variableOf(name) : flagOf(name)} `),
      )
      expect(line).toContain(` ${defaultText} ${unit}`.trimEnd())
    }
  })

  it('is asked for, as is the version', () => {
    expect(read({ args: ['-h'] }).request).toBe('help')
    expect(read({ args: ['--version'] }).request).toBe('version')
  })
})
