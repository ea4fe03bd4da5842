import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { StartError } from './start-error.js'

/** Creates the folder, for this user alone, and proves that it can be written to. Throws `StartError`. */
export async function prepareDataFolder(folder: string): Promise<void> {
  const probe = join(folder, `.write-test-${randomUUID()}`)
  try {
    await createFolder(folder)
    await writeFile(probe, '')
    await rm(probe)
  } catch (error) {
    throw new StartError(
      `DATA_DIR ${folder} cannot be written to: ${(error as NodeJS.ErrnoException).code ?? 'unknown'}.`,
    )
  }
}

/** With all above it. The recursive `mkdir` of Node never returns where the system refuses with ENOENT, as below /proc. */
async function createFolder(folder: string): Promise<void> {
  if (existsSync(folder)) return
  await createFolder(dirname(folder))
  await mkdir(folder, { mode: 0o700 })
}
