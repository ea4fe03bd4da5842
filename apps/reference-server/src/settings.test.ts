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
    const defaults = { host: '127.0.0.1', port: 4870, publicUrl: undefined, dataDir: join(root, 'data') }
    expect(readSettings({}, root)).toEqual(defaults)
    expect(readSettings({ HOST: '', PORT: '', PUBLIC_URL: '', DATA_DIR: '' }, root)).toEqual(defaults)
  })

  it('takes what is given', () => {
    const given = {
      HOST: '[::1]',
      PORT: '0',
      PUBLIC_URL: 'https://Docs.my-site.org:443/',
      DATA_DIR: 'kept/here',
    }
    expect(readSettings(given, root)).toEqual({
      host: '::1',
      port: 0,
      publicUrl: 'https://docs.my-site.org',
      dataDir: join(root, 'kept', 'here'),
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

  it('does not repeat credentials', () => {
    expect(complaintAbout({ PUBLIC_URL: 'https://me:hunter2@my-site.org' })).not.toContain('hunter2')
  })

  it.each(['a b', 'http://x', 'x/y', 'x\ny'])('refuses HOST %j in one line', (HOST) => {
    const complaint = complaintAbout({ HOST })
    expect(complaint).toContain('HOST must be')
    expect(complaint).not.toContain('\n')
  })
})
