import { execFile } from 'node:child_process'
import { join } from 'node:path'
import process from 'node:process'
import { promisify } from 'node:util'
import { projectRoot, type WorkspacePackage } from './workspace-packages.js'

const run = promisify(execFile)
const pnpm = join(projectRoot, 'node_modules', 'pnpm', 'bin', 'pnpm.cjs')

export interface Packed extends WorkspacePackage {
  readonly tarball: string
  /** Paths inside the tarball, without the leading `package/`. */
  readonly files: readonly string[]
}

/** Makes the tarballs that `pnpm publish` would upload, in `folder`. */
export async function packPackages(
  packages: readonly WorkspacePackage[],
  folder: string,
): Promise<readonly Packed[]> {
  return Promise.all(packages.map((workspacePackage) => pack(workspacePackage, folder)))
}

async function pack(workspacePackage: WorkspacePackage, folder: string): Promise<Packed> {
  const args = [pnpm, 'pack', '--json', '--pack-destination', folder]
  const { stdout } = await run(process.execPath, args, { cwd: workspacePackage.path })
  const { filename: tarball } = JSON.parse(stdout) as { filename: string }
  // pnpm adds the project's licence without listing it.
  const listing = await run('tar', ['-tzf', tarball])
  const files = listing.stdout
    .trim()
    .split(/\r?\n/)
    .map((file) => file.replace(/^package\//, ''))
  return { ...workspacePackage, tarball, files }
}
