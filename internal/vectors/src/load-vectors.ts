import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { projectRoot } from './directories.js'

/** A parsed file of `spec/vectors`, e.g. `loadVectors<ChecksumVector[]>('checksums.json')`. */
// eslint-disable-next-line @typescript-eslint/no-unnecessary-type-parameters -- our own file: the caller names its shape
export function loadVectors<T>(relativePath: string): T {
  return JSON.parse(readFileSync(join(projectRoot, 'spec/vectors', relativePath), 'utf8')) as T
}
