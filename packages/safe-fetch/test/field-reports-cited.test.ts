import { readdirSync, readFileSync } from 'node:fs'

import { describeWithCases } from '@internal/vectors'
import { expect, it } from 'vitest'

describeWithCases('field reports', 'safe-fetch', (cases) => {
  const tests = readdirSync(import.meta.dirname)
    .filter((name) => name.startsWith('field-reports-'))
    .map((name) => readFileSync(new URL(name, import.meta.url), 'utf8'))
    .join('\n')

  it.each(cases.map(({ id, symptom }) => [id, symptom]))('%s has a test: %s', (id) => {
    expect(tests).toContain(id)
  })
})
