import { execFile } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import process from 'node:process'
import { promisify } from 'node:util'
import type { Packed } from './pack-packages.js'

const run = promisify(execFile)

/**
 * What a user does in an empty folder: `npm install` of some packages, from their tarballs.
 *
 * @param peers ranges of optional peers to install as well
 * @returns what npm complained about; undefined when all went well
 */
export async function installPacked(
  folder: string,
  packed: readonly Packed[],
  peers: Readonly<Record<string, string>> = {},
): Promise<string | undefined> {
  const tarballs = packed.map(({ manifest, tarball }) => [manifest.name, `file:${tarball}`] as const)
  const dependencies = { ...peers, ...Object.fromEntries(tarballs) }
  await mkdir(folder, { recursive: true })
  await writeFile(
    join(folder, 'package.json'),
    JSON.stringify({ private: true, type: 'module', dependencies }),
  )
  const args = ['install', '--no-audit', '--no-fund', '--prefer-offline', '--ignore-scripts']
  try {
    await run('npm', args, { cwd: folder, shell: process.platform === 'win32', env: environmentForNpm() })
    return undefined
  } catch (error) {
    return (error as { stderr: string }).stderr
  }
}

/** Whether npm failed for want of a registry, which says nothing about the packages. */
export function isOffline(failure: string | undefined): boolean {
  return failure !== undefined && /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ETIMEDOUT/.test(failure)
}

/** npm and pnpm hand their settings to what they start; a user's project has none of them. */
function environmentForNpm(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(npm|pnpm)_/i.test(name)))
}
