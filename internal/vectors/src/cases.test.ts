import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { readCases } from './cases.js'
import { casesDir, corporaDir } from './directories.js'

afterEach(() => {
  vi.unstubAllEnvs()
})

describe('readCases', () => {
  it('gives nothing where the folder is missing', () => {
    vi.stubEnv('CASES_DIR', 'no-such-folder')
    expect(readCases('aadp-schemas')).toEqual([])
  })

  it.skipIf(!existsSync(casesDir()))('gives the reports of one package', () => {
    const cases = readCases('aadp-schemas')
    expect(cases.map((report) => report.id)).toContain('JC-01')
    expect(cases.every((report) => report.package === 'aadp-schemas')).toBe(true)
  })
})

describe('the folders of test data', () => {
  it('follow the environment', () => {
    vi.stubEnv('CASES_DIR', '/data/cases')
    vi.stubEnv('CORPORA_DIR', '/data/corpora')
    expect([casesDir(), corporaDir()]).toEqual([resolve('/data/cases'), resolve('/data/corpora')])
  })
})
