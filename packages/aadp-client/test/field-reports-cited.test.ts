import { readdirSync, readFileSync } from 'node:fs'
import { describeWithCases } from '@internal/vectors'
import { expect, it } from 'vitest'

describeWithCases('field reports', 'aadp-client', (cases) => {
  const folders = ['.', '../src'].map((folder) => new URL(`${folder}/`, import.meta.url))
  const tests = folders
    .flatMap((folder) => readdirSync(folder).map((name) => new URL(name, folder)))
    .filter(({ pathname }) => pathname.endsWith('.test.ts') && !pathname.includes('field-reports'))
    .map((url) => readFileSync(url, 'utf8'))
    .join('\n')

  it.each(cases.map(({ id, symptom }) => [id, symptom]))('%s has a test: %s', (id) => {
    expect(tests).toContain(id)
  })
})
