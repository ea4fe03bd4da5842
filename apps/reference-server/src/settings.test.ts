import { join, sep } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readSettings } from './settings.js'
import { StartError } from './start-error.js'

const root = join(sep, 'project')

function complaintAbout(environment: Record<string, string>): string {
  try {
    readSettings(environment, root)
  } catch (error) {
    if (error instanceof StartError) return error.message
    throw error
  }
  throw new Error('accepted')
}

describe('readSettings', () => {
  it('has defaults, also for empty variables', () => {
    const defaults = {
      host: '127.0.0.1',
      port: 4870,
      publicUrl: undefined,
      dataDir: join(root, 'data'),
      redisUrl: undefined,
      limits: { read: undefined, ask: undefined, action: undefined },
    }
    expect(readSettings({}, root)).toEqual(defaults)
    expect(
      readSettings({ HOST: '', PORT: '', PUBLIC_URL: '', DATA_DIR: '', REDIS_URL: '', ASK_LIMIT: '' }, root),
    ).toEqual(defaults)
  })

  it('takes what is given', () => {
    const given = {
      HOST: '[::1]',
      PORT: '0',
      PUBLIC_URL: 'https://Docs.my-site.org:443/',
      DATA_DIR: 'kept/here',
      REDIS_URL: 'rediss://me:secret@redis.my-site.org:6380/2',
      READ_LIMIT: '5/second',
      ASK_LIMIT: '30/minute',
      ACTION_LIMIT: '100/day',
    }
    expect(readSettings(given, root)).toEqual({
      host: '::1',
      port: 0,
      publicUrl: 'https://docs.my-site.org',
      dataDir: join(root, 'kept', 'here'),
      redisUrl: 'rediss://me:secret@redis.my-site.org:6380/2',
      limits: { read: '5/second', ask: '30/minute', action: '100/day' },
    })
  })

  it.each(['http', '-1', '1.5', '65536', '1e3', '0x10', ' 80', '999999'])('refuses PORT %j', (PORT) => {
    expect(complaintAbout({ PORT })).toMatch(/^PORT must be .*$/)
  })

  it.each([
    'docs.my-site.org',
    '/docs',
    'ftp://my-site.org',
    'javascript:alert(1)',
    'https://my-site.org/docs',
    'https://my-site.org/?a',
    'https://my-site.org/#a',
  ])('refuses PUBLIC_URL %j', (PUBLIC_URL) => {
    expect(complaintAbout({ PUBLIC_URL })).toMatch(/^PUBLIC_URL must be .*$/)
  })

  it.each(['30', '0/minute', '-1/minute', '1.5/minute', 'NaN/minute', '30/fortnight', '30/minute '])(
    'refuses ASK_LIMIT %j',
    (ASK_LIMIT) => {
      expect(complaintAbout({ ASK_LIMIT })).toMatch(/^ASK_LIMIT must be a rate such as 30\/minute/)
    },
  )

  it.each(['redis', 'http://127.0.0.1:6379', '127.0.0.1:6379'])('refuses REDIS_URL %j', (REDIS_URL) => {
    expect(complaintAbout({ REDIS_URL })).toMatch(/^REDIS_URL must be .*$/)
  })

  it('does not repeat credentials', () => {
    expect(complaintAbout({ REDIS_URL: 'http://me:hunter2@my-site.org' })).not.toContain('hunter2')
    expect(complaintAbout({ PUBLIC_URL: 'https://me:hunter2@my-site.org' })).not.toContain('hunter2')
  })

  it.each(['a b', 'http://x', 'x/y', 'x\ny'])('refuses HOST %j in one line', (HOST) => {
    const complaint = complaintAbout({ HOST })
    expect(complaint).toContain('HOST must be')
    expect(complaint).not.toContain('\n')
  })
})
