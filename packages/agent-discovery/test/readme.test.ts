import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { PROBE_PATHS } from '../src/probe.js'

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8')

it('the examples of the README print what the README says', () => {
  const programs = [...readme.matchAll(/```js\n([^`]*?)```\n\nprints\n\n```(?:\w*)\n([^]*?)```/g)]
  expect(programs).toHaveLength(3)
  for (const [, program = '', printed] of programs) {
    const output = execFileSync(process.execPath, ['--input-type=module', '--eval', program], {
      cwd: new URL('..', import.meta.url),
      encoding: 'utf8',
    })
    expect(output).toBe(printed)
  }
})

it('the README names every path that is asked for', () => {
  for (const path of PROBE_PATHS) expect(readme).toContain(`\`${path}\``)
})
