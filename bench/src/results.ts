import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Comparison, Figure } from './report.js'

/** What a benchmark left in its JSON file. */
export interface Result {
  readonly name: string
  readonly measuredAt: string
  readonly environment: Readonly<Record<string, string>>
  readonly comparisons: readonly Comparison[]
  readonly figures: readonly Figure[]
}

/** Every result in a folder, by name. */
export function readResults(folder: string): readonly Result[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith('.json') && file !== 'summary.json')
    .sort()
    .map((file) => JSON.parse(readFileSync(join(folder, file), 'utf8')) as Result)
}
