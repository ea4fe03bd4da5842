import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { defaultSettings } from '../src/settings/read-settings.js'
import type { Settings } from '../src/settings/settings.js'

export const repository: string = fileURLToPath(new URL('../../..', import.meta.url))
export const assetsFolder: string = fileURLToPath(new URL('../assets', import.meta.url))

/** A folder that looks like a project to the server, with files of the test's own. */
export interface Project {
  readonly root: string
  write(path: string, text: string): Promise<void>
  remove(): Promise<void>
}

export async function createProject(): Promise<Project> {
  const root = await mkdtemp(join(tmpdir(), 'project-'))
  await cp(join(repository, 'LICENSE'), join(root, 'LICENSE'))
  return {
    root,
    async write(path, text) {
      await mkdir(dirname(join(root, path)), { recursive: true })
      await writeFile(join(root, path), text)
    },
    remove: () => rm(root, { recursive: true, force: true }),
  }
}

const PLENTY = '100000/minute'

function unlimited(): Partial<Settings> {
  return {
    ...{ readLimit: PLENTY, askLimit: PLENTY, actionLimit: PLENTY, credentialLimit: PLENTY },
    ...{ tokenReadLimit: PLENTY, tokenAskLimit: PLENTY, tokenActionLimit: PLENTY },
  }
}

/** Of a server on a free port whose limits no test reaches. */
export function testSettings(dataDir: string, given: Partial<Settings> = {}): Settings {
  return {
    ...defaultSettings(repository),
    ...unlimited(),
    port: 0,
    dataDir,
    ...given,
  }
}
