import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { prepareDataFolder } from './data-folder.js'

it('makes the folder for nobody else on this machine: questions of people are kept in it', async () => {
  const home = await mkdtemp(join(tmpdir(), 'data-folder-'))
  try {
    const folder = join(home, 'kept', 'data')
    await prepareDataFolder(folder)
    expect((await stat(folder)).mode & 0o777).toBe(0o700)
  } finally {
    await rm(home, { recursive: true })
  }
})
