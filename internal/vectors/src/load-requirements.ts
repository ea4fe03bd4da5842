import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { projectRoot } from './directories.js'

/** One numbered rule of a specification; the grammar is in `spec/README.md`. */
export interface Requirement {
  readonly id: string
  readonly subject: string
  readonly place?: string
  readonly level: 'MUST' | 'SHOULD' | 'MAY'
  readonly section: string
  readonly text: string
}

/** The rules of one specification, e.g. `loadRequirements('aadp/v1.0')`. */
export function loadRequirements(specification: string): Requirement[] {
  const path = join(projectRoot, 'spec', `${specification}.requirements.json`)
  return JSON.parse(readFileSync(path, 'utf8')) as Requirement[]
}
