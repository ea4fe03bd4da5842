import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The folder that holds `spec/` and `schemas/`. */
export const projectRoot: string = fileURLToPath(new URL('../../../', import.meta.url))

/** Third-party test data: `CORPORA_DIR`, or `../shared/corpora` beside the project. It may not exist. */
export function corporaDir(): string {
  return resolve(projectRoot, process.env['CORPORA_DIR'] ?? '../shared/corpora')
}

/** Field reports: `CASES_DIR`, or `../shared/cases` beside the project. It may not exist. */
export function casesDir(): string {
  return resolve(projectRoot, process.env['CASES_DIR'] ?? '../shared/cases')
}
