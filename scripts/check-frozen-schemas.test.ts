import { appendFileSync, cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { addFrozenSchemas, checkFrozenSchemas } from './check-frozen-schemas.js'

const released = fileURLToPath(new URL('../schemas', import.meta.url))
const manifest = 'aadp/v1.0/manifest.schema.json'

describe('the released schemas', () => {
  it('match their recorded hashes', () => {
    expect(checkFrozenSchemas(released)).toEqual([])
  })

  it('list every document kind of both versions', () => {
    const frozen = readFrozen(released)
    for (const version of ['v0.1', 'v1.0']) {
      for (const kind of ['entity', 'error', 'manifest', 'sitemap', 'sitemap-index']) {
        expect(frozen).toHaveProperty([`aadp/${version}/${kind}.schema.json`])
      }
    }
  })
})

describe('a copy of the released schemas', () => {
  let copy: string

  beforeEach(() => {
    copy = mkdtempSync(join(tmpdir(), 'frozen-schemas-'))
    cpSync(released, copy, { recursive: true })
  })

  afterEach(() => {
    rmSync(copy, { recursive: true })
  })

  it('fails when one byte is added', () => {
    appendFileSync(join(copy, manifest), '\n')
    expect(checkFrozenSchemas(copy)).toEqual([{ file: manifest, problem: 'changed' }])
  })

  it('fails when a file is gone', () => {
    rmSync(join(copy, manifest))
    expect(checkFrozenSchemas(copy)).toEqual([{ file: manifest, problem: 'missing' }])
  })

  it('takes a new file and never a changed one', () => {
    const before = readFrozen(copy)
    appendFileSync(join(copy, manifest), '\n')
    writeFileSync(join(copy, 'new.schema.json'), '{}\n')

    expect(addFrozenSchemas(copy)).toEqual(['new.schema.json'])

    expect(readFrozen(copy)).toMatchObject(before)
    expect(checkFrozenSchemas(copy)).toEqual([{ file: manifest, problem: 'changed' }])
  })
})

function readFrozen(directory: string): Record<string, string> {
  return JSON.parse(readFileSync(join(directory, 'frozen.json'), 'utf8')) as Record<string, string>
}
