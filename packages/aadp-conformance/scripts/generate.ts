/** Derives `src/generated/requirements.ts` from `spec/aadp`. Run by `pnpm generate`; the output is committed. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { writeRequirements, type SpecifiedRequirement } from '@internal/contract-generator'

const projectRoot = join(import.meta.dirname, '../../..')

const requirements = ['1.0', '0.1'].flatMap((version) => {
  const path = join(projectRoot, `spec/aadp/v${version}.requirements.json`)
  return JSON.parse(readFileSync(path, 'utf8')) as SpecifiedRequirement[]
})

writeRequirements(
  join(import.meta.dirname, '../src/generated'),
  'Level and text of every rule for servers and documents, by id.',
  requirements.filter(({ subject }) => subject !== 'client'),
)
