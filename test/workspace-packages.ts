import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const projectRoot: string = fileURLToPath(new URL('..', import.meta.url))

export interface PackageManifest {
  readonly name: string
  readonly version: string
  readonly private?: boolean
  readonly exports?: Readonly<Record<string, string | Readonly<Record<string, string>>>>
  readonly bin?: Readonly<Record<string, string>>
  readonly files?: readonly string[]
  readonly dependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
  readonly [field: string]: unknown
}

export interface WorkspacePackage {
  /** Name of the folder, which is the package's name without the scope. */
  readonly folder: string
  readonly path: string
  readonly manifest: PackageManifest
}

/** The packages under `packages/`, by folder name. */
export const packages: readonly WorkspacePackage[] = readdirSync(join(projectRoot, 'packages'))
  .map((folder) => ({ folder, path: join(projectRoot, 'packages', folder) }))
  .filter(({ path }) => existsSync(join(path, 'package.json')))
  .map(({ folder, path }) => ({
    folder,
    path,
    manifest: JSON.parse(readFileSync(join(path, 'package.json'), 'utf8')) as PackageManifest,
  }))

export const published: readonly WorkspacePackage[] = packages.filter(
  ({ manifest }) => manifest.private !== true,
)
