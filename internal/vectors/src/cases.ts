import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describeWithFolder } from './describe-with-folder.js'
import { casesDir } from './directories.js'

/** A fault that users of comparable software reported, with the right behaviour. */
export interface FieldReport {
  readonly id: string
  readonly area: string
  readonly package: string
  readonly symptom: string
  readonly input: string
  readonly expected: string
  readonly why: string
}

/** The field reports that concern one package, named without its scope; empty when the folder is missing. */
export function readCases(packageName: string): FieldReport[] {
  const path = join(casesDir(), 'field-reports.jsonl')
  if (!existsSync(path)) return []
  return readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => JSON.parse(line) as FieldReport)
    .filter((report) => report.package === packageName)
}

/** A `describe` over the field reports of one package; skipped, with the reason in its name, where the folder is missing. */
export function describeWithCases(
  name: string,
  packageName: string,
  define: (cases: readonly FieldReport[]) => void,
): void {
  describeWithFolder(name, casesDir(), () => {
    define(readCases(packageName))
  })
}
