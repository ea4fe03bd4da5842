/** Derives `src/generated/requirements.ts` from `spec/ahp`. Run by `pnpm generate`; the output is committed. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { writeRequirements, type SpecifiedRequirement } from '@internal/contract-generator'

const path = join(import.meta.dirname, '../../../spec/ahp/v0.1.requirements.json')

writeRequirements(
  join(import.meta.dirname, '../src/generated'),
  'Level and text of every rule, by id.',
  JSON.parse(readFileSync(path, 'utf8')) as SpecifiedRequirement[],
)
