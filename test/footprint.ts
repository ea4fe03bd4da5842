import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'

/** Most that an installation may bring: packages, itself included, and megabytes on disk. */
export const FOOTPRINTS: Readonly<Record<string, readonly [packages: number, megabytes: number]>> = {
  'aadp-client': [9, 3.5],
  'aadp-conformance': [12, 4],
  'aadp-schemas': [3, 0.3],
  'aadp-server': [3, 1],
  'agent-discovery': [15, 5.5],
  'ahp-conformance': [16, 6],
  'ahp-converse': [75, 18],
  'ahp-manifest': [1, 0.4],
  'conformance-kit': [2, 0.2],
  'safe-fetch': [2, 2.1],
}

/** What a folder of packages holds: how many, and how much by the size of their files. */
export async function footprint(modules: string): Promise<{ packages: number; megabytes: number }> {
  const entries = await readdir(modules, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile()).map((file) => join(file.parentPath, file.name))
  const sizes = await Promise.all(files.map(async (file) => (await stat(file)).size))
  const lock = JSON.parse(await readFile(join(modules, '.package-lock.json'), 'utf8')) as { packages: object }
  return {
    packages: Object.keys(lock.packages).length,
    megabytes: sizes.reduce((sum, size) => sum + size, 0) / 1e6,
  }
}
