import { randomUUID } from 'node:crypto'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { StartError } from './start-error.js'

/** Creates the folder and proves that it can be written to. Throws `StartError`. */
export async function prepareDataFolder(folder: string): Promise<void> {
  const probe = join(folder, `.write-test-${randomUUID()}`)
  try {
    await mkdir(folder, { recursive: true })
    await writeFile(probe, '')
    await rm(probe)
  } catch (error) {
    throw new StartError(
      `DATA_DIR ${folder} cannot be written to: ${(error as NodeJS.ErrnoException).code ?? 'unknown'}.`,
    )
  }
}
