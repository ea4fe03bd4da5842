import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openDemoTokens } from './demo-tokens.js'
import { StartError } from './start-error.js'

let folder: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tokens-'))
})

afterEach(async () => {
  await rm(folder, { recursive: true })
})

describe('openDemoTokens', () => {
  it('makes them once, all different, also for two that start at once', async () => {
    const [one, other] = await Promise.all([openDemoTokens(folder), openDemoTokens(folder)])
    expect(new Set(Object.values(one)).size).toBe(3)
    expect(other).toEqual(one)
    expect(await openDemoTokens(folder)).toEqual(one)
  })

  it.skipIf(process.platform === 'win32')('keeps them from others', async () => {
    await openDemoTokens(folder)
    expect((await stat(join(folder, 'tokens.json'))).mode & 0o777).toBe(0o600)
  })

  it.each(['', 'null', '[]', '{"customer":"short","operator":1}'])('refuses %j', async (text) => {
    await writeFile(join(folder, 'tokens.json'), text)
    await expect(openDemoTokens(folder)).rejects.toThrow(StartError)
    await expect(openDemoTokens(folder)).rejects.toThrow(/is damaged\. Delete it/)
  })
})
