import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describeWithCases } from '@internal/vectors'
import { expect, it } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))

describeWithCases('field reports', 'agent-discovery', (cases) => {
  const tests = ['src', 'test']
    .flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((file) =>
        join(root, folder, file),
      ),
    )
    .filter((file) => file.endsWith('.test.ts'))
    .map((file) => readFileSync(file, 'utf8'))
    .join('\n')

  it.each(cases.map(({ id, symptom }) => [id, symptom] as const))('%s has a test: %s', (id) => {
    expect(tests).toMatch(new RegExp(`\\b${id}\\b`))
  })
})
